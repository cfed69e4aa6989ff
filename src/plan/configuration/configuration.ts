// The configuration of a run: the `config` of each element, merged from the primitive to the tool; later ones
// win. A tool that has a runtime does not decide how it is started: its own `command` or `args` are data for
// the runtime (`{config.command}`).
import { AppError, isRecord, type JsonObject, type JsonValue } from '../../base/index.ts'
import type { VerifiedTool } from '../types.ts'

/** Keys that only a runtime may set for the tools it runs. */
const RUNTIME_KEYS: ReadonlySet<string> = new Set([
  'command',
  'args',
  'large_args',
  'private_args',
  'stdin',
  'function',
  'inline',
  'parameter_variables',
])
/** Extensions of tools that are data: the file contains no program. */
const DATA_EXTENSIONS: ReadonlySet<string> = new Set(['.yaml', '.yml', '.json', '.toml'])

/**
 * A top-level key of a data item. Always undefined for a program, where constants and variables look alike:
 * `secrets = []` in a Python file declares nothing. Programs declare such things in `CONFIG` and
 * `ENV_CONFIG`.
 */
export function declaredIn(
  element: Pick<VerifiedTool, 'extension' | 'metadata'>,
  key: string,
): JsonValue | undefined {
  return DATA_EXTENSIONS.has(element.extension) ? element.metadata[key] : undefined
}

/** An element's `config`, which must be an object if it is declared. */
export function configOf(element: Pick<VerifiedTool, 'id' | 'metadata'>): JsonObject {
  const config = element.metadata.config
  if (config === undefined || config === null) return {}
  if (!isRecord(config))
    throw new AppError('CONFIG_INVALID', `\`${element.id}\`: \`config\` must be an object`)
  return config as JsonObject // metadata holds JSON values only
}

/** Merges the chain's configuration, and applies the runtime's `inline` part for a tool that is data. */
export function mergeConfiguration(elements: readonly VerifiedTool[]): JsonObject {
  const tool = elements[0]!
  const isDirect = elements.length === 2
  let merged: JsonObject = {}
  for (const element of elements.slice(1).reverse()) merged = deepMerge(merged, configOf(element))
  const { inline } = merged
  if (inline !== undefined && DATA_EXTENSIONS.has(tool.extension)) {
    if (!isRecord(inline)) throw new AppError('CONFIG_INVALID', '`config.inline` must be an object')
    refuseMissing(tool, inline as JsonObject)
    merged = { ...merged, ...(inline as JsonObject) } // inside metadata, so JSON
  }
  const own = Object.entries(configOf(tool)).filter(([key]) => isDirect || !RUNTIME_KEYS.has(key))
  return deepMerge(merged, Object.fromEntries(own))
}

/** Throws if the tool lacks a setting that the runtime passes on, such as the text for a shell. */
function refuseMissing(tool: VerifiedTool, inline: JsonObject): void {
  const own = configOf(tool)
  for (const [, key] of JSON.stringify(inline).matchAll(/\{config\.(\w+)\}/g)) {
    if (own[key!] !== undefined && own[key!] !== null) continue
    throw new AppError(
      'CONFIG_INVALID',
      `\`${tool.id}\` has no \`config.${key}\`, which must say what to run`,
      {
        hint: `add it to \`${tool.path}\`; to run a program with arguments, use \`executor_id: rye/core/primitives/subprocess\``,
      },
    )
  }
}

/** Objects are merged; any other value of `over` replaces the one below. */
export function deepMerge(under: JsonObject, over: JsonObject): JsonObject {
  const merged: JsonObject = Object.assign(Object.create(null), under)
  for (const [key, value] of Object.entries(over)) {
    const before = merged[key]
    merged[key] = isObject(before) && isObject(value) ? deepMerge(before, value) : value
  }
  return merged
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return isRecord(value)
}
