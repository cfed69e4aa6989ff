// Verdicts on files as they are now. A verdict belongs to the bytes that were judged: it comes with their digest, and is kept for as
// long as the file is in the state in which it was read and the user trusts the same keys.
import { AppError } from '../base/index.ts'
import { isSameState, type KnownState, knownState, stateAt } from '../files/index.ts'
import type { ItemFile } from '../scan/index.ts'
import type { ResolvedEntry } from '../space/index.ts'
import type { TrustContext, Verdict } from '../trust/index.ts'
import type { OpenedItem } from './open-item.ts'

const MAX_VERDICTS = 50_000
/** These depend on the content and the keys only; one that is malformed may be from the future, or could not be read for a moment. */
const LASTING: ReadonlySet<Verdict['status']> = new Set(['verified', 'unsigned', 'tampered', 'untrusted'])

export interface Judged {
  readonly verdict: Verdict
  /** What was judged: the digest of the whole content, as in the index; undefined when nothing could be read. */
  readonly digest: string | undefined
}

export interface JudgeRequest {
  /** Names the item, its file and its project. */
  readonly key: string
  find(): ResolvedEntry<ItemFile>
  read(found: ResolvedEntry<ItemFile>): OpenedItem
  /** Everything that the verdict depends on is in the one file. */
  readonly isWhole: boolean
}

export interface VerdictCache {
  judge(request: JudgeRequest): Judged
}

export class Verdicts {
  #keys: TrustContext['keys'] | undefined
  readonly #known = new Map<string, Judged & { readonly path: string; readonly state: KnownState }>()

  /** The cache under one state of trust; another state empties it. */
  under(trust: TrustContext): VerdictCache {
    if (trust.keys !== this.#keys) this.#known.clear()
    this.#keys = trust.keys
    return { judge: request => this.#judge(request, trust) }
  }

  /** A call that began under other keys than the present ones neither gets nor gives: it may end after a key was removed. */
  #judge({ key, find, read, isWhole }: JudgeRequest, trust: TrustContext): Judged {
    try {
      const isPresent = trust.keys === this.#keys
      const known = isPresent ? this.#known.get(key) : undefined
      const now = known && stateAt(known.path)
      if (known && now && isSameState(known.state, now)) return known
      const found = find()
      const readAt = Date.now()
      const { verdict, state, contentDigest } = read(found)
      const { path } = found.entry
      const judged = { verdict, digest: contentDigest(), path, state: knownState(state, readAt) }
      if (isPresent && isWhole && LASTING.has(verdict.status) && this.#known.size < MAX_VERDICTS)
        this.#known.set(key, judged)
      return judged
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown
      const nothing = { format: null, coverage: null, hash: null, signer: null, timestamp: null }
      return { verdict: { status: 'malformed', ...nothing, reason: thrown.message }, digest: undefined }
    }
  }
}
