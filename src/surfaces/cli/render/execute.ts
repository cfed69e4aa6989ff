import { escapeHidden, isRecord, printVisibleJson } from '../../../base/index.ts'
import type { Terminal } from '../terminal.ts'
import { cell, columns, milliseconds, records } from './columns.ts'
import { parameterLine } from './parameters.ts'
import type { Renderer } from './renderer.ts'

export const renderExecute: Renderer = (answer, terminal) => {
  const { style } = terminal
  if (typeof answer.your_directions === 'string') return escapeHidden(answer.your_directions)
  if (typeof answer.content === 'string') {
    const parts = answer.type === 'skill' ? skillParts(answer, terminal) : []
    return [escapeHidden(answer.content).trimEnd(), ...parts].join('\n')
  }
  if (typeof answer.plan === 'string') return `${cell(answer.message)}\n\n${escapeHidden(answer.plan)}`
  const chain = Array.isArray(answer.chain)
    ? answer.chain.filter(isRecord).map(link => cell(link.item_id))
    : []
  const ways = [
    ...(answer.isolation ? [cell(answer.isolation)] : []),
    ...(answer.duration_ms === undefined ? [] : [milliseconds(answer.duration_ms)]),
  ]
  const foot = style.dim([chain.join(' → '), ways.length > 0 ? `(${ways.join(', ')})` : ''].join(' ').trim())
  const trace = answer.trace === undefined ? [] : ['', printVisibleJson(answer.trace)]
  const shown = 'data' in answer ? showData(answer.data) : cell(answer.message ?? answer.status)
  return [shown, ...trace, '', foot].join('\n')
}

/** What a skill offers to call and read besides its text. */
function skillParts(
  { tools, files, references, hint }: Readonly<Record<string, unknown>>,
  { style, columns: width }: Terminal,
): string[] {
  const named = (value: unknown) => records(value).map(part => cell(part.item_id))
  const calls = records(tools).map(tool => [cell(tool.item_id), style.dim(parameterLine(tool.input_schema))])
  const sections = [
    ['tools', columns(calls, width), 'rye execute'],
    // A skill with a long list of files has no references.
    ['files', [...new Set([...named(files), ...named(references)])], 'rye load'],
  ] as const
  const lines = sections.flatMap(([title, names, command]) =>
    names.length === 0 ? [] : ['', `${title} (${command} NAME)`, ...names.map(name => `  ${name}`)],
  )
  return hint === undefined ? lines : [...lines, '', cell(hint)]
}

function showData(data: unknown): string {
  if (isRecord(data) && typeof data.stdout === 'string' && 'exit_code' in data) {
    return escapeHidden([data.stdout, data.stderr].filter(Boolean).join('\n').trimEnd())
  }
  return typeof data === 'string' ? escapeHidden(data) : printVisibleJson(data)
}
