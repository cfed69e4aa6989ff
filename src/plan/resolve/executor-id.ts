// Which item an `executor_id` names. Nested ids are the real ones. The flat ids of older tools and the bare
// names of primitives are reserved aliases, so no space can redefine one with a file of that name.

import type { Space } from '../../item/index.ts'

const RUNTIMES = 'rye/core/runtimes/'
const PRIMITIVES = 'rye/core/primitives/'

/** Only items of the package may name it. */
export const ACTION_PRIMITIVE = `${PRIMITIVES}action`

export type PrimitiveName = 'subprocess' | 'http_client' | 'mcp' | 'action'

const PRIMITIVE_IDS: ReadonlyMap<string, PrimitiveName> = new Map([
  [`${PRIMITIVES}subprocess`, 'subprocess'],
  [`${PRIMITIVES}http_client`, 'http_client'],
  [`${PRIMITIVES}mcp`, 'mcp'],
  [ACTION_PRIMITIVE, 'action'],
])

const FLAT_RUNTIMES: ReadonlyMap<string, string> = new Map([
  ['python_function_runtime', 'python/function'],
  ['python_script_runtime', 'python/script'],
  ['node_runtime', 'node/node'],
  ['bash_runtime', 'bash/bash'],
  ['mcp_http_runtime', 'mcp/http'],
  ['mcp_stdio_runtime', 'mcp/stdio'],
  ['http_runtime', 'http/http'],
])

const BARE_PRIMITIVES: ReadonlyMap<string, string> = new Map([
  ['subprocess', 'subprocess'],
  ['http_client', 'http_client'],
  ['mcp', 'mcp'],
  [`${PRIMITIVES}execute`, 'subprocess'],
])

/** The id that an `executor_id` stands for: itself, unless it is an alias. */
export function resolveExecutorId(id: string): string {
  const primitive = BARE_PRIMITIVES.get(id)
  if (primitive !== undefined) return PRIMITIVES + primitive
  const bare = id.startsWith(RUNTIMES) ? id.slice(RUNTIMES.length) : id
  const flat = FLAT_RUNTIMES.get(bare)
  if (flat !== undefined) return RUNTIMES + flat
  return SHORT_RUNTIMES.has(id) ? RUNTIMES + id : id
}

/** The item that an `executor_id` names, and whether it must come from the package. */
export function executorOf(
  declared: string,
  coreShadowing: 'refuse' | 'allow',
): { readonly id: string; readonly isOfPackage: boolean } {
  const id = resolveExecutorId(declared)
  return { id, isOfPackage: isCore(id) && coreShadowing === 'refuse' }
}

const SHORT_RUNTIMES: ReadonlySet<string> = new Set(FLAT_RUNTIMES.values())

export function findPrimitive(id: string): PrimitiveName | undefined {
  return PRIMITIVE_IDS.get(id)
}

export const PRIMITIVE_NAMES: readonly PrimitiveName[] = [...PRIMITIVE_IDS.values()]

/** Where the items are that run others. Other items under `rye/core/` are tools like any other. */
const RUNNING = [RUNTIMES, PRIMITIVES]

/** The user's setting that allows the project and user spaces to have their own core items. */
export const CORE_SETTING = 'execute.core_shadowing'

/** Why a runtime or primitive outside the package is not used. Undefined if it is used. */
export function unusedCopy(
  item: { readonly type: string; readonly id: string; readonly space: Space; readonly toolType?: unknown },
  coreShadowing: 'refuse' | 'allow',
): string | undefined {
  const { type, id, space } = item
  if (type !== 'tool' || space === 'system' || coreShadowing === 'allow') return undefined
  const runsOthers =
    RUNNING.some(prefix => id.startsWith(prefix)) || (isCore(id) && item.toolType === 'runtime')
  if (!runsOthers) return undefined
  return `\`tool:${id}@${space}\` is not used: items under \`rye/core/\` that run others come from the package, unless the user sets \`${CORE_SETTING} = "allow"\``
}

/**
 * Core items decide how everything else runs, so they come from the package, whatever a project has under the
 * same name.
 */
export function isCore(id: string): boolean {
  return id.startsWith('rye/core/')
}
