// Which actions tools of the package may run, and how: with the input checks of every surface, for the caller of the tool. What is for
// people alone stays so, because the caller is the same.
import { AppError, type ErrorCode, type JsonObject } from '../base/index.ts'
import type { Action, ActionContext, ToolActions } from './definition/action.ts'
import { readInput } from './definition/read-input.ts'
import { refuseAgent } from './definition/refuse-agent.ts'
import type { ActionName } from './signatures.ts'
import { findAction } from './table.ts'

/** Closed: an agent reaches these through `execute`. Nothing here decides about keys, trust or settings. */
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
      const given = action.fields.project_path ? { ...parameters, project_path: projectPath } : parameters
      // Parameters are JSON, and so are defaults.
      return readInput(action.fields, given) as JsonObject
    },
    async run(name, input, signal) {
      const action = await loadAction(name)
      if (action === undefined) throw new Error(`unreachable: no tool may run \`${name}\``)
      refuseAgent(action, context)
      // Every surface prints answers as JSON.
      const answer = (await action.run({ ...context, signal }, input)) as JsonObject
      if (answer.status === 'error') throw asThrown(answer)
      return answer
    },
  }
}

async function loadAction(name: string): Promise<Action | undefined> {
  return TOOL_ACTIONS.has(name) ? findAction(name)?.load() : undefined
}

/** A failure that an action answers with. */
function asThrown({ code, error, hint, status: _, ...details }: JsonObject): AppError {
  return new AppError(code as ErrorCode, String(error), {
    ...(typeof hint === 'string' && { hint }),
    details,
  })
}
