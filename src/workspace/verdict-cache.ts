// Verdicts on files as they are now. A verdict belongs to the bytes that were judged: it comes with their
// digest. It is cached as long as the file, or the folder with everything in it, is in the state in which it
// was read, and the user trusts the same keys.
import { AppError } from '../base/index.ts'
import { isSameState, type KnownState, knownState, stateAt } from '../files/index.ts'
import type { ItemFile } from '../scan/index.ts'
import type { ResolvedEntry } from '../space/index.ts'
import type { TrustContext, Verdict } from '../trust/index.ts'
import type { OpenedItem } from './open-item.ts'

/** Files and folders that all cached verdicts may depend on. Items beyond that are judged each time. */
const MAX_SEEN = 100_000
/**
 * These depend only on content and keys. `malformed` is not cached: the timestamp may be in the future, or
 * the file could not be read for a moment.
 */
const LASTING: ReadonlySet<Verdict['status']> = new Set(['verified', 'unsigned', 'tampered', 'untrusted'])

export interface Judged {
  readonly verdict: Verdict
  /** The digest of what was judged, as in the index. Undefined when nothing could be read. */
  readonly digest: string | undefined
}

export interface JudgeRequest {
  /** Identifies the item, its file and its project. */
  readonly key: string
  find(): ResolvedEntry<ItemFile>
  read(found: ResolvedEntry<ItemFile>): OpenedItem
}

export interface VerdictCache {
  judge(request: JudgeRequest): Judged
}

interface KnownVerdict extends Judged {
  readonly seen: readonly (KnownState & { readonly path: string })[]
}

interface KnownVerdicts {
  readonly byKey: Map<string, KnownVerdict>
  /** The number of files and folders of all verdicts together. */
  seen: number
}

export class Verdicts {
  /**
   * Keyed by the trusted keys: a call that began before a key was removed ends with the verdicts of that
   * time, and leaves none to later calls.
   */
  readonly #underKeys = new WeakMap<TrustContext['keys'], KnownVerdicts>()

  /** The cache for one state of trust. */
  under({ keys }: TrustContext): VerdictCache {
    const kept = this.#underKeys.get(keys) ?? { byKey: new Map(), seen: 0 }
    this.#underKeys.set(keys, kept)
    return { judge: request => judge(request, kept) }
  }
}

function judge({ key, find, read }: JudgeRequest, kept: KnownVerdicts): Judged {
  try {
    const known = kept.byKey.get(key)
    if (known?.seen.every(isUnchanged)) return known
    forget(key, kept)
    const found = find()
    const readAt = Date.now()
    const { verdict, seen, searchedDigest } = read(found)
    const states = seen.map(state => ({ path: state.path, ...knownState(state, readAt) }))
    const judged = { verdict, digest: searchedDigest(), seen: states }
    if (LASTING.has(verdict.status)) keep(key, judged, kept)
    return judged
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    const nothing = { format: null, coverage: null, hash: null, signer: null, timestamp: null }
    return { verdict: { status: 'malformed', ...nothing, reason: thrown.message }, digest: undefined }
  }
}

function isUnchanged(seen: KnownVerdict['seen'][number]): boolean {
  const now = stateAt(seen.path)
  return now !== undefined && isSameState(seen, now)
}

function keep(key: string, judged: KnownVerdict, kept: KnownVerdicts): void {
  const { length } = judged.seen
  if (length === 0 || kept.seen + length > MAX_SEEN) return
  kept.byKey.set(key, judged)
  kept.seen += length
}

function forget(key: string, kept: KnownVerdicts): void {
  kept.seen -= kept.byKey.get(key)?.seen.length ?? 0
  kept.byKey.delete(key)
}
