// Plans a run of one of our own actions. Only items of the package may name one, whatever the user's policy
// allows: an action runs in this process, outside of any sandbox.
import { AppError, type JsonObject, printCanonicalJson } from '../../base/index.ts'
import { ACTION_PRIMITIVE } from '../resolve/executor-id.ts'
import type { ActionInvocation, PlanContext, VerifiedTool } from '../types.ts'

/** Throws unless the whole chain comes from the package. */
export function requirePackage(elements: readonly VerifiedTool[]): void {
  const other = elements.find(element => element.space !== 'system')
  if (other === undefined) return
  const { id } = elements[0]!
  throw new AppError(
    'POLICY_DENIED',
    `\`${other.id}\` of ${other.space} space may not use \`${ACTION_PRIMITIVE}\`: only items of the package may run actions of rye`,
    { hint: `if \`${id}\` is a copy of a tool of the package, run \`tool:${id}@system\` or remove the copy` },
  )
}

/**
 * `config.action` names the action; a parameter may choose it, as in `mcp {action}`. All other parameters are
 * its input.
 */
export async function planAction(
  tool: VerifiedTool,
  config: JsonObject,
  parameters: JsonObject,
  { readAction, projectPath }: Pick<PlanContext, 'readAction' | 'projectPath'>,
): Promise<ActionInvocation> {
  const { action: declared } = config
  if (typeof declared !== 'string' || declared === '') {
    throw new AppError('CONFIG_INVALID', `\`${tool.id}\`: \`config.action\` must name an action`)
  }
  if (readAction === undefined) {
    throw new AppError('NOT_AVAILABLE', `\`${tool.id}\` runs an action of rye, and none can be run here`)
  }
  const chooser = /\{(\w+)\}/.exec(declared)?.[1]
  const { [chooser ?? '']: chosen, ...input } = parameters
  const action = declared.replace(/\{\w+\}/, mark =>
    typeof chosen === 'string' ? chosen : printCanonicalJson(chosen ?? mark),
  )
  const read = await readAction(action, input, projectPath).catch(asParameterFault)
  if (read !== undefined) return { kind: 'action', action, input: read }
  throw new AppError('CONFIG_INVALID', `\`${tool.id}\`: \`${action}\` is not an action that a tool may run`)
}

/** A fault in the action's input is a fault in the tool's parameters. */
function asParameterFault(thrown: unknown): never {
  if (!(thrown instanceof AppError) || thrown.code !== 'INVALID_INPUT') throw thrown
  throw new AppError('PARAMETERS_INVALID', thrown.message, { hint: thrown.hint })
}
