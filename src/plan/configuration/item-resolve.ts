// `config.item_resolve: {server: {id: "mcp/servers/{name}", when: {action: refresh}}}`: the definitions of
// items that the caller names, passed to the tool as `resolved_items`. A tool that acts on an item therefore
// acts on verified bytes, not on a file.
import { AppError, isRecord, type JsonObject, quoteText } from '../../base/index.ts'
import { idProblem } from '../../item/index.ts'
import type { ToolLookup, VerifiedTool } from '../types.ts'
import { configOf } from './configuration.ts'
import { expandText, wholeName } from './template.ts'

/** The parameter in which a tool that declares `item_resolve` gets what was found. */
export const RESOLVED_ITEMS = 'resolved_items'

export interface ResolvedItems {
  /** Passed to the tool, by name: `{id, space, tool_type, config}`, or null if there is no such item. */
  readonly values: JsonObject
  readonly items: readonly VerifiedTool[]
}

/**
 * The items that a tool's `item_resolve` names, or undefined if it has none. Skips an entry whose `when` does
 * not hold, or that needs a parameter which the caller left out.
 */
export async function resolveItems(
  tool: VerifiedTool,
  parameters: JsonObject,
  lookup: ToolLookup,
): Promise<ResolvedItems | undefined> {
  const declared = configOf(tool).item_resolve
  if (!isRecord(declared)) return undefined
  if (Object.hasOwn(parameters, RESOLVED_ITEMS)) {
    throw new AppError(
      'PARAMETERS_INVALID',
      `/${RESOLVED_ITEMS}: filled in from signed items, not by the caller`,
    )
  }
  const values: JsonObject = {}
  const items: VerifiedTool[] = []
  for (const [name, request] of Object.entries(declared)) {
    if (!isRecord(request) || typeof request.id !== 'string') {
      throw new AppError(
        'CONFIG_INVALID',
        `\`${tool.id}\`: \`item_resolve.${name}\` must be an object with an \`id\``,
      )
    }
    const id = isWanted(request.when, parameters) ? expandId(request.id, parameters) : undefined
    if (id === undefined) continue
    const problem = idProblem(id)
    if (problem !== undefined) throw new AppError('PARAMETERS_INVALID', `${quoteText(id, 200)}: ${problem}`)
    // The search starts in the project: the caller means an item of the project, wherever the tool itself
    // comes from.
    const item = await lookup(id, 'project')
    values[name] = item === undefined ? null : describe(item)
    if (item !== undefined) items.push(item)
  }
  return { values, items }
}

/** The ids that `item_resolve` names, with their `{parameter}` marks unexpanded. */
export function resolvedIds(tool: Pick<VerifiedTool, 'id' | 'metadata'>): string[] {
  const declared = configOf(tool).item_resolve
  if (!isRecord(declared)) return []
  return Object.values(declared).flatMap(request =>
    isRecord(request) && typeof request.id === 'string' ? [request.id] : [],
  )
}

function isWanted(when: unknown, parameters: JsonObject): boolean {
  return !isRecord(when) || Object.entries(when).every(([name, value]) => parameters[name] === value)
}

/** The id, or undefined if it needs a parameter that is missing. */
function expandId(template: string, parameters: JsonObject): string | undefined {
  const known = new Map(Object.entries(parameters))
  const named = template.split('/').flatMap(segment => wholeName(segment) ?? [])
  if (named.some(name => !known.has(name))) return undefined
  return expandText(template, {
    variables: new Map(),
    names: new Map(),
    parameters: known,
    absent: new Set(),
  })
}

function describe(item: VerifiedTool): JsonObject {
  const { tool_type: type } = item.metadata
  return {
    id: item.id,
    space: item.space,
    tool_type: typeof type === 'string' ? type : '',
    config: configOf(item),
  }
}
