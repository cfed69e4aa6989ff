// Verdicts by content, for as long as the user trusts the same keys. Only verdicts that depend on nothing else are kept.
import { AppError } from '../base/index.ts'
import type { TrustContext, Verdict } from '../trust/index.ts'
import type { OpenedItem } from './open-item.ts'

const MAX_VERDICTS = 50_000
/** These depend on the content only; the others may change with time, or after a file could not be read for a moment. */
const LASTING: ReadonlySet<Verdict['status']> = new Set(['verified', 'unsigned'])

export interface VerdictCache {
  /** The verdict of an item whose content is named by the key; the item is read only if it is not known. */
  get(key: string, read: () => OpenedItem): Verdict
  /** The verdict of an item that no key names. */
  judge(read: () => OpenedItem): Verdict
}

export class Verdicts {
  #keys: TrustContext['keys'] | undefined
  readonly #known = new Map<string, Verdict>()

  /** The cache under one state of trust; another state empties it. */
  under(trust: TrustContext): VerdictCache {
    if (trust.keys !== this.#keys) this.#known.clear()
    this.#keys = trust.keys
    return {
      get: (key, read) => {
        const known = this.#known.get(key)
        if (known) return known
        const verdict = judge(read)
        if (LASTING.has(verdict.status) && this.#known.size < MAX_VERDICTS) this.#known.set(key, verdict)
        return verdict
      },
      judge,
    }
  }
}

function judge(read: () => OpenedItem): Verdict {
  try {
    return read().verdict
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    const nothing = { format: null, coverage: null, hash: null, signer: null, timestamp: null }
    return { status: 'malformed', ...nothing, reason: thrown.message }
  }
}
