// Verdicts by content, for as long as the user's trust stays as it is. Only what the content alone decides is kept.
import { AppError } from '../base/index.ts'
import type { TrustContext, Verdict } from '../trust/index.ts'
import type { OpenedItem } from './open-item.ts'

const MOST = 50_000
/** Said of the content alone; the others may be mended by time or by a moment's trouble passing. */
const LASTING: ReadonlySet<Verdict['status']> = new Set(['verified', 'unsigned'])

export interface VerdictCache {
  /** The verdict of an item whose content the key names; read again only when it is not known. */
  get(key: string, read: () => OpenedItem): Verdict
  /** A verdict that no key can stand for. */
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
        if (LASTING.has(verdict.status) && this.#known.size < MOST) this.#known.set(key, verdict)
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
