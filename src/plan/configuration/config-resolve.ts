// `config_resolve: {path, mode}`: merges the settings in `.ai/config` of the three spaces into one value.
// `deep_merge` merges project over user over system; `first_match` takes the first that exists.
import { AppError, isRecord, type JsonObject, type JsonValue, quoteText } from '../../base/index.ts'
import { idProblem, precedenceOf } from '../../item/index.ts'
import type { ConfigLayer, PlanContext, VerifiedTool } from '../types.ts'
import { deepMerge } from './configuration.ts'

interface ConfigRequest {
  readonly path: string
  readonly mode: 'deep_merge' | 'first_match'
}

/**
 * The settings that an element's `config_resolve` names, or undefined if it has none. Several requests are
 * merged in order.
 */
export async function resolveConfig(
  element: VerifiedTool,
  readConfig: PlanContext['readConfig'],
): Promise<JsonObject | undefined> {
  const declared = element.metadata.config_resolve
  if (declared === undefined || declared === null) return undefined
  let resolved: JsonObject = {}
  for (const entry of Array.isArray(declared) ? declared : [declared]) {
    const request = readRequest(entry, element.id)
    resolved = deepMerge(resolved, mergeLayers(await readConfig(request.path), request.mode))
  }
  return resolved
}

export function mergeLayers(layers: readonly ConfigLayer[], mode: ConfigRequest['mode']): JsonObject {
  const strongest = [...layers].sort((a, b) => precedenceOf(a.space) - precedenceOf(b.space))
  const used = mode === 'first_match' ? strongest.slice(0, 1) : strongest.reverse()
  const merged = used.reduce<JsonObject>((under, layer) => deepMerge(under, layer.data), {})
  delete merged.extends
  return merged
}

/** The files of `.ai/config` that an element's `config_resolve` names. */
export function settingsPaths({ metadata }: Pick<VerifiedTool, 'metadata'>): string[] {
  return [metadata.config_resolve].flat().flatMap(request => {
    const path = isRecord(request) ? request.path : undefined
    return typeof path === 'string' ? [path] : []
  })
}

/** Of a runtime's settings only the timeouts count: `tools.ID.timeout`, or else `defaults.timeout`. */
export function runtimeTimeout(settings: JsonObject | undefined, toolId: string): JsonValue | undefined {
  const tools = isRecord(settings?.tools) ? settings.tools : {}
  const entry = Object.hasOwn(tools, toolId) ? tools[toolId] : undefined
  const timeout = isRecord(entry) ? entry.timeout : undefined
  const general = isRecord(settings?.defaults) ? settings.defaults.timeout : undefined
  return (timeout ?? general) as JsonValue | undefined // inside metadata, so JSON
}

function readRequest(entry: JsonValue, elementId: string): ConfigRequest {
  if (!isRecord(entry)) throw invalid(elementId, 'must be an object with `path` and `mode`')
  const { path, mode = 'deep_merge' } = entry
  const problem = idProblem(path)
  if (problem !== undefined) throw invalid(elementId, `path: ${problem}`)
  if (mode !== 'deep_merge' && mode !== 'first_match') {
    throw invalid(elementId, `expected mode deep_merge or first_match, got ${quoteText(mode)}`)
  }
  return { path: path as string, mode } // a string: `idProblem` found nothing wrong
}

function invalid(elementId: string, problem: string): AppError {
  return new AppError('CONFIG_INVALID', `\`${elementId}\`: \`config_resolve\` ${problem}`)
}
