// One walk over everything that the project sees, with the verdict on each. After a change only what was touched is looked at again
// (`look-again.ts`).
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
/** How many files are looked at before others get their turn. */
const AT_ONCE = 50

export async function summarize(workspace: Workspace, signal: AbortSignal): Promise<JudgedItems> {
  const statuses = new Map<string, VerdictStatus>()
  let looked = 0
  const { items, skipped } = workspace.list(TYPES)
  // A tool does not run with a file beside it that does not verify: somebody has to decide about that, too.
  for (const found of [...items, ...usedHelpers(workspace, skipped)]) {
    if (looked++ % AT_ONCE === 0) await nextTurn()
    signal.throwIfAborted()
    const status = statusOf(workspace, found)
    if (status) statuses.set(printName(found.entry), status)
  }
  return countStatuses(statuses)
}

/** Undefined for what is not signed, and for what went away since it was found. */
export function statusOf(workspace: Workspace, found: ResolvedEntry<ItemFile>): VerdictStatus | undefined {
  const { type, id, space, extension, path } = found.entry
  // Settings of the user and keys are not signed.
  if (path === userConfigPath(workspace.library.userSpace)) return undefined
  if (type === 'config' && id.startsWith('keys/')) return undefined
  const { status } = workspace.verdicts.judge({
    key: `${type}:${id}${extension}@${space} ${workspace.projectPath}`,
    find: () => found,
    read: workspace.read,
  }).verdict
  return status === 'malformed' && stateAt(path) === undefined ? undefined : status
}
