// Finds what was last run in this project. The log keeps only a digest of the parameters, so a call that had
// some cannot be repeated from it.
import { printCanonicalJson, sha256Hex } from '../../../base/index.ts'
import { cell, records } from '../render/columns.ts'
import { callAction } from './call-action.ts'
import type { Checking } from './check-item.ts'

const WITHOUT_PARAMETERS = sha256Hex(printCanonicalJson({}))

export async function findLastRun(
  { library, project }: Pick<Checking, 'library' | 'project'>,
  { hasParameters }: { readonly hasParameters: boolean },
): Promise<{ readonly item: string } | { readonly fault: string }> {
  const { answer } = await callAction(library, 'runs', { limit: 1, project_path: project })
  const [last] = records(answer.runs)
  if (last === undefined) return { fault: 'nothing was run in this project: name an item, `rye dev ITEM`' }
  const item = `${cell(last.item_type)}:${cell(last.item_id)}@${cell(last.space)}`
  if (hasParameters || last.parameters === WITHOUT_PARAMETERS) return { item }
  return {
    fault: `${item} was run with parameters, which are not kept; name them: rye dev ${item} --param NAME=VALUE`,
  }
}
