// Finds tools that would run and do nothing, or not what their author meant. Checked before signing; the
// first fault also before running.
import { isRecord, type JsonValue } from '../../base/index.ts'
import { permissionFault } from '../configuration/limits.ts'
import type { VerifiedTool } from '../types.ts'
import { resolveExecutorId } from './executor-id.ts'

type Program = Pick<VerifiedTool, 'extension' | 'metadata' | 'diagnostics' | 'bytes'>

interface NeededEntry {
  /** Whether a program that acts by itself is enough. */
  readonly orMain: boolean
  readonly expected: string
}

const SIGNATURE = '`execute(params, project_path)`'
/** What our own runtimes start. Other runtimes may start anything. */
const ENTRIES: ReadonlyMap<string, NeededEntry> = new Map([
  ['rye/core/runtimes/python/function', { orMain: false, expected: `a function ${SIGNATURE}` }],
  [
    'rye/core/runtimes/python/script',
    { orMain: true, expected: `a function ${SIGNATURE} or a block \`if __name__ == "__main__":\`` },
  ],
  [
    'rye/core/runtimes/node/node',
    { orMain: true, expected: 'an exported function `execute(params, projectPath)`, or statements that run' },
  ],
])
const BASH = 'rye/core/runtimes/bash/bash'

/** The faults of a program that a person who signs it should know about. */
export function programFaults(tool: Program): string[] {
  const { executor_id } = tool.metadata
  const permission = permissionFault(tool)
  const faults = permission === undefined ? [] : [permission]
  if (typeof executor_id !== 'string') return faults
  const runtime = resolveExecutorId(executor_id)
  const entry = entryFault(tool, [runtime])
  return [
    ...faults,
    ...(entry === undefined ? [] : [entry]),
    ...(runtime === BASH ? placeholderFaults(tool) : []),
  ]
}

/**
 * Why nothing would run, if that is certain: a file that could not be parsed, or that another runtime starts,
 * may have an entry after all. `started` is what will be started, once that is decided.
 */
export function entryFault(
  { metadata, diagnostics }: Pick<Program, 'metadata' | 'diagnostics'>,
  runtimes: readonly string[],
  started?: 'function' | 'process',
): string | undefined {
  const needed = runtimes.map(id => ENTRIES.get(id)).find(found => found !== undefined)
  const { entry } = metadata
  if (needed === undefined || !isRecord(entry) || diagnostics.some(found => found.severity === 'error'))
    return undefined
  const hasFunction = entry.execute !== null && started !== 'process'
  const hasMain = entry.main === true && needed.orMain && started !== 'function'
  if (hasFunction || hasMain) return undefined
  return `nothing in it can be run: expected ${needed.expected}`
}

const NAME = String.raw`[A-Za-z_]\w{0,127}`
/** Names that a runtime's configuration may use, and shell text may not. */
const TEMPLATE_NAMES: ReadonlySet<string> = new Set([
  'params_json',
  'project_path',
  'tool_path',
  'tool_dir',
  'tool_id',
])

/**
 * `{name}` in shell text, which nothing fills in. Braces in single quotes are meant for other programs, such
 * as jq, unless they name a parameter. So are braces after `$`, `%`, `@` or a backslash.
 */
function placeholderFaults({ extension, metadata, bytes }: Program): string[] {
  const names = parameterNames(metadata.config_schema)
  const isMeant = (name: string) => names.has(name) || TEMPLATE_NAMES.has(name)
  if (extension === '.sh') {
    const text = Buffer.from(bytes)
      .toString('utf8')
      .replaceAll(/^[ \t]*#.*$/gm, '')
    return findPlaceholders(text)
      .filter(({ name }) => names.has(name))
      .map(describePlaceholder)
  }
  const command = isRecord(metadata.config) ? metadata.config.command : undefined
  if (typeof command !== 'string')
    return ['nothing in it can be run: expected shell text in `config.command`']
  return findPlaceholders(command)
    .filter(({ name, isQuoted }) => !isQuoted || isMeant(name))
    .map(describePlaceholder)
}

interface Placeholder {
  readonly name: string
  /** In single quotes. */
  readonly isQuoted: boolean
}

// The order matters: quoted text and comments are skipped as a whole, and the rest is read mark by mark.
const SHELL = new RegExp(
  String.raw`\\[^]|'([^']*)'|(?<=^|[\s;&|(])#[^\n]*|[$%@]\{|\{\{|(?<!\{)\{(${NAME})\}(?!\})`,
  'g',
)

/** Each name once. */
function findPlaceholders(text: string): Placeholder[] {
  const found = new Map<string, Placeholder>()
  const add = (name: string, isQuoted: boolean) => {
    if (found.get(name)?.isQuoted !== false) found.set(name, { name, isQuoted })
  }
  for (const [, quoted, name] of text.matchAll(SHELL)) {
    if (name !== undefined) add(name, false)
    for (const [, inner] of (quoted ?? '').matchAll(QUOTED)) add(inner!, true)
  }
  return [...found.values()]
}

const QUOTED = new RegExp(String.raw`(?<![$%@{\\])\{(${NAME})\}(?!\})`, 'g')

function describePlaceholder({ name }: Placeholder): string {
  const variable = `$PARAM_${name.toUpperCase()}`
  return `nothing fills in \`{${name}}\` in shell text: write \`"${variable}"\`; put braces meant for another program in single quotes or after \`\\\``
}

function parameterNames(schema: JsonValue | undefined): ReadonlySet<string> {
  return new Set(isRecord(schema) && isRecord(schema.properties) ? Object.keys(schema.properties) : [])
}
