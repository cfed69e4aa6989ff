// One walk over everything that the project sees, with the verdict on each item. After a change, only what
// was touched is judged again (`look-again.ts`).
import { setImmediate as nextTurn } from 'node:timers/promises'
import { stateAt } from '../../files/index.ts'
import { ITEM_TYPES, type SignedType } from '../../item/index.ts'
import type { ItemFile } from '../../scan/index.ts'
import type { ResolvedEntry } from '../../space/index.ts'
import type { VerdictStatus } from '../../trust/index.ts'
import { userConfigPath } from '../../user/index.ts'
import { usedHelpers, type Workspace } from '../../workspace/index.ts'
import { countStatuses, printName } from './count-statuses.ts'
import type { JudgedItems } from './summary-types.ts'

const TYPES: readonly SignedType[] = [...ITEM_TYPES, 'config']
/** How many files are judged before other work gets a turn. */
const AT_ONCE = 50

export async function summarize(workspace: Workspace, signal: AbortSignal): Promise<JudgedItems> {
  const statuses = new Map<string, VerdictStatus>()
  let looked = 0
  const { items, skipped } = workspace.list(TYPES)
  // A tool does not run when a file beside it fails verification, so someone has to decide about those files
  // too.
  for (const found of [...items, ...usedHelpers(workspace, skipped)]) {
    if (looked++ % AT_ONCE === 0) await nextTurn()
    signal.throwIfAborted()
    const status = statusOf(workspace, found)
    if (status) statuses.set(printName(found.entry), status)
  }
  return countStatuses(statuses)
}

/** Undefined for files that are not signed, and for files that have gone since they were found. */
export function statusOf(workspace: Workspace, found: ResolvedEntry<ItemFile>): VerdictStatus | undefined {
  const { type, id, space, extension, path } = found.entry
  // The user's settings, and keys, are not signed.
  if (path === userConfigPath(workspace.library.userSpace)) return undefined
  if (type === 'config' && id.startsWith('keys/')) return undefined
  const { status } = workspace.verdicts.judge({
    key: `${type}:${id}${extension}@${space} ${workspace.projectPath}`,
    find: () => found,
    read: workspace.read,
  }).verdict
  return status === 'malformed' && stateAt(path) === undefined ? undefined : status
}
