// Who signs, with what, and what they have already decided by the way they ask.
import type { Caller } from '../../../base/index.ts'
import type { ItemFile } from '../../../scan/index.ts'
import type { ResolvedEntry } from '../../../space/index.ts'
import type { SigningKey } from '../../../trust/index.ts'
import type { Workspace } from '../../../workspace/index.ts'

export interface Signer {
  readonly workspace: Workspace
  readonly key: SigningKey
  readonly caller: Caller
  /** Whether one item was asked for by its id, not by a pattern. */
  readonly isNamed: boolean
  readonly format: 'v1' | 'v2'
  /** For a pattern: the signer says that they have reviewed everything. */
  readonly reviewed?: boolean
  /** Collects what there was to review. */
  readonly saw?: { readonly item: string; readonly seen: readonly string[] }[]
  /** Contents that may be signed although they ask for hosts, places or secrets. Undefined if all may be. */
  readonly granted?: ReadonlySet<string> | undefined
  /** Everything is signed again as it was, so a signature that was made for an agent keeps saying so. */
  readonly isAgain?: true
  /** The digest of the only content that may be signed, if it was read before. */
  readonly digest?: string | undefined
  /** The skills of the same space, which the documents of a signed skill may name. */
  skills?(): readonly ResolvedEntry<ItemFile>[]
  /** Folders that were cleared of old temporary files in this batch. */
  readonly swept: Set<string>
}

/** The time as signatures state it. */
export function timestampOf(now: Date): string {
  return `${now.toISOString().slice(0, 19)}Z`
}
