// Who signs, with what, and how much they have decided by asking for it.
import type { Caller } from '../../../base/index.ts'
import type { ItemFile } from '../../../scan/index.ts'
import type { ResolvedEntry } from '../../../space/index.ts'
import type { SigningKey } from '../../../trust/index.ts'
import type { Workspace } from '../../../workspace/index.ts'

export interface Signer {
  readonly workspace: Workspace
  readonly key: SigningKey
  readonly caller: Caller
  /** One item was asked for by its id, and not by a pattern. */
  readonly isNamed: boolean
  readonly format: 'v1' | 'v2'
  /** Of a pattern: whoever signs says that they have looked at everything. */
  readonly reviewed?: boolean
  /** What there was to look at. */
  readonly saw?: { readonly item: string; readonly seen: readonly string[] }[]
  /** Contents that may be signed though they ask for hosts, places or secrets; undefined where all may. */
  readonly granted?: ReadonlySet<string> | undefined
  /** Everything is signed again as it was: what says that an agent had it signed goes on to say so. */
  readonly isAgain?: true
  /** Of the one content that may be signed, where it was read before. */
  readonly digest?: string | undefined
  /** The skills beside those that are signed, which their documents may name. */
  skills?(): readonly ResolvedEntry<ItemFile>[]
  /** Folders that were cleared of old temporary files in this batch. */
  readonly swept: Set<string>
}

/** As signatures have it. */
export function timestampOf(now: Date): string {
  return `${now.toISOString().slice(0, 19)}Z`
}
