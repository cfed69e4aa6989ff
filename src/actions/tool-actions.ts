// Which actions the bundled tools may run, and how: with the input checks of every surface, on behalf of the
// tool's caller. So actions reserved for people stay reserved: an agent cannot reach them through a tool.
import { AppError, type Caller, type ErrorCode, type JsonObject } from '../base/index.ts'
import { requirePermission } from '../workspace/index.ts'
import type { Action, ActionContext, ToolActions } from './definition/action.ts'
import type { Fields } from './definition/field-spec.ts'
import { readInput } from './definition/read-input.ts'
import { refuseAgent } from './definition/refuse-agent.ts'
import type { ActionName } from './signatures.ts'
import { findAction } from './table.ts'

/** A closed list: an agent reaches these through `execute`. None decides about keys, trust or settings. */
export const TOOL_ACTIONS: ReadonlySet<string> = new Set<ActionName>([
  'mcp add',
  'mcp discover',
  'mcp list',
  'mcp refresh',
  'mcp remove',
  'registry search',
  'registry show',
  'registry pull',
  'registry publish',
])

export function toolActions(context: ActionContext): ToolActions {
  return {
    async read(name, parameters, projectPath) {
      const action = await loadAction(name)
      if (action === undefined) return undefined
      // The project is always that of the call; no parameter can name another.
      const { project_path: project, ...fields } = action.fields
      const input = readParameters(fields, parameters, context.caller)
      // Parameters are JSON, and so are defaults.
      return { ...(input as JsonObject), ...(project && { project_path: projectPath }) }
    },
    async run(name, input, signal) {
      const action = await loadAction(name)
      if (action === undefined) throw new Error(`unreachable: no tool may run \`${name}\``)
      refuseAgent(action, context)
      if (action.effects.openWorld) requirePermission(context.library, 'network')
      if (!action.effects.readOnly) requirePermission(context.library, 'write')
      // Every surface prints answers as JSON.
      const answer = (await action.run({ ...context, signal }, input)) as JsonObject
      if (answer.status === 'error') throw asThrown(answer)
      return answer
    },
  }
}

/** Drops the hint, which names fields of the action: the tool's own schema says what it takes. */
function readParameters(fields: Fields, parameters: JsonObject, caller: Caller): Record<string, unknown> {
  try {
    return readInput(fields, parameters, caller)
  } catch (thrown) {
    throw thrown instanceof AppError ? new AppError(thrown.code, thrown.message) : thrown
  }
}

async function loadAction(name: string): Promise<Action | undefined> {
  return TOOL_ACTIONS.has(name) ? findAction(name)?.load() : undefined
}

/** Turns an action's failure answer back into an error. */
function asThrown({ code, error, hint, status: _, ...details }: JsonObject): AppError {
  return new AppError(code as ErrorCode, String(error), {
    ...(typeof hint === 'string' && { hint }),
    details,
  })
}
