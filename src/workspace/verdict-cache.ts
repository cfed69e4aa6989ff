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

type KnownVerdicts = Map<string, Judged & { readonly path: string; readonly state: KnownState }>

export class Verdicts {
  /** A call that began before a key was removed ends with the verdicts of that time, and leaves none to calls after it. */
  readonly #underKeys = new WeakMap<TrustContext['keys'], KnownVerdicts>()

  /** The cache under one state of trust. */
  under({ keys }: TrustContext): VerdictCache {
    const kept = this.#underKeys.get(keys) ?? new Map()
    this.#underKeys.set(keys, kept)
    return { judge: request => judge(request, kept) }
  }
}

function judge({ key, find, read, isWhole }: JudgeRequest, kept: KnownVerdicts): Judged {
  try {
    const known = kept.get(key)
    const now = known && stateAt(known.path)
    if (known && now && isSameState(known.state, now)) return known
    const found = find()
    const readAt = Date.now()
    const { verdict, state, contentDigest } = read(found)
    const { path } = found.entry
    const judged = { verdict, digest: contentDigest(), path, state: knownState(state, readAt) }
    if (isWhole && LASTING.has(verdict.status) && kept.size < MAX_VERDICTS) kept.set(key, judged)
    return judged
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    const nothing = { format: null, coverage: null, hash: null, signer: null, timestamp: null }
    return { verdict: { status: 'malformed', ...nothing, reason: thrown.message }, digest: undefined }
  }
}
