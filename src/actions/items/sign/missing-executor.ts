// Checks that what runs a tool is there. It may be added later, so this warns and refuses nothing.
import { quoteText } from '../../../base/index.ts'
import { idProblem, OWN_SPACES, precedenceOf } from '../../../item/index.ts'
import { executorOf } from '../../../plan/index.ts'
import type { OpenedItem, Workspace } from '../../../workspace/index.ts'

export async function missingExecutor(
  workspace: Pick<Workspace, 'has' | 'shared' | 'policy'>,
  item: Pick<OpenedItem, 'file' | 'parse'>,
): Promise<string[]> {
  const { file } = item
  // A catalogue has to be asked before it is known what it has.
  if (file.type !== 'tool' || workspace.shared) return []
  const declared = (await item.parse()).metadata.executor_id
  if (typeof declared !== 'string' || declared === '') return []
  const problem = idProblem(declared)
  if (problem !== undefined) return [`it cannot run: executor_id: ${problem}`]
  const { core_shadowing } = workspace.policy.execute
  const { id, isOfPackage } = executorOf(declared, core_shadowing)
  const spaces = OWN_SPACES.filter(space =>
    isOfPackage ? space === 'system' : precedenceOf(space) >= precedenceOf(file.space),
  )
  if (spaces.some(space => workspace.has({ type: 'tool', id, space }))) return []
  const where = isOfPackage ? 'in the package' : `in the ${file.space} space or below`
  return [`it cannot run yet: its executor_id names ${quoteText(id)}, and there is no such tool ${where}`]
}
