// The answers of `load`, `list`, `show` and `parse`.
import { escapeHidden, isRecord } from '../../../base/index.ts'
import { cell, columns, count } from './columns.ts'
import { parameterLines } from './parameters.ts'
import type { Renderer } from './renderer.ts'
import { trustMark } from './trust.ts'

export const renderLoad: Renderer = (answer, terminal) => {
  const { style } = terminal
  if (answer.item_type === 'output')
    return [escapeHidden(String(answer.content)), ...pageFoot(answer, terminal)].join('\n')
  if (answer.view === 'summary') return renderSummary(answer, terminal)
  const head = `${style.bold(`${cell(answer.item_type)}:${cell(answer.item_id)}`)}  ${style.dim(cell(answer.path))} ${trustMark(answer.trust, style)}`
  // A person who copies an item is about to open the copy, so its text is not shown.
  if (answer.destination_path) {
    const helpers: { path: unknown }[] = Array.isArray(answer.helpers) ? answer.helpers : []
    const copied = [answer.destination_path, ...helpers.map(({ path }) => path)]
    return [head, ...copied.map(path => `${style.green('✓')} copied to ${cell(path)}`)].join('\n')
  }
  const text = escapeHidden(String(answer.content ?? ''))
  return [head, '', text, ...pageFoot(answer, terminal)].join('\n')
}

/** What the text itself does not show: that it goes on, or is encoded. */
function pageFoot(answer: Parameters<Renderer>[0], { style }: Parameters<Renderer>[1]): string[] {
  const { size, next_offset, encoding, content } = answer
  const foot = [
    ...(encoding === 'base64' ? ['not text, shown as base64'] : []),
    ...(typeof next_offset === 'number'
      ? [`${next_offset} of ${cell(size)} bytes so far: go on with --offset ${next_offset}`]
      : []),
    ...(content === '' && typeof size === 'number' && size > 0
      ? [`nothing at this offset: it has ${size} bytes`]
      : []),
  ]
  return foot.length === 0 ? [] : ['', style.dim(`(${foot.join('; ')})`)]
}

const renderSummary: Renderer = (answer, { style }) => {
  const { status: _status, view: _view, item_type, item_id, description, ...facts } = answer
  const head = style.bold(`${cell(item_type)}:${cell(item_id)}`)
  return [head, cell(description), '', escapeHidden(JSON.stringify(facts, null, 2))].join('\n')
}

export const renderList: Renderer = (answer, terminal) => {
  const { style } = terminal
  const items = Array.isArray(answer.items) ? answer.items.filter(isRecord) : []
  const rows = items.map(item => [
    style.bold(`${cell(item.item_type)}:${cell(item.item_id)}`),
    cell(item.space),
    item.shadowed_by ? style.dim(`shadowed by ${cell(item.shadowed_by)}`) : '',
  ])
  return [...columns(rows, terminal.columns), '', count(items.length, 'item')].join('\n')
}

export const renderShow: Renderer = (answer, terminal) => {
  const { style } = terminal
  const verdict = isRecord(answer.trust) ? answer.trust : {}
  const shadows = Array.isArray(answer.shadows) ? answer.shadows.filter(isRecord) : []
  const facts: [string, string][] = [
    ['space', cell(answer.space)],
    ['path', cell(answer.path)],
    ['parser', cell(answer.parser)],
    ['signer', [verdict.signer, verdict.timestamp].map(cell).filter(Boolean).join(' ')],
    ['reason', cell(verdict.reason)],
    ['shadows', shadows.map(shadow => cell(shadow.space)).join(', ')],
    ['shadowed by', cell(answer.shadowed_by)],
  ]
  const lines = [
    `${style.bold(`${cell(answer.item_type)}:${cell(answer.item_id)}`)}  ${trustMark(answer.trust, style)}`,
    ...columns(
      facts.filter(([, value]) => value !== '').map(([name, value]) => [style.dim(name), value]),
      terminal.columns,
    ),
  ]
  const metadata = isRecord(answer.metadata) ? answer.metadata : {}
  lines.push(
    '',
    ...columns(
      Object.entries(metadata)
        .filter(([key, value]) => !isShownElsewhere(key, metadata) && !isEmpty(value))
        .map(([key, value]) => [style.dim(key), cell(value)]),
      terminal.columns,
    ),
  )
  const parameters = parameterLines(metadata.parameters, terminal)
  if (parameters.length > 0) lines.push('', style.dim('parameters'), ...parameters)
  const issues = Array.isArray(answer.issues) ? answer.issues : []
  for (const issue of answer.unused === undefined ? issues : [...issues, answer.unused])
    lines.push(style.yellow(`! ${cell(issue)}`))
  for (const line of diagnosticLines(answer.diagnostics)) lines.push(style.yellow(`! ${line}`))
  return [...lines, ...contentLines(answer.content, terminal)].join('\n')
}

/** Per kind, so that many of one kind do not hide another. */
const MOST_OF_KIND = 10

function diagnosticLines(diagnostics: unknown): string[] {
  const all = Array.isArray(diagnostics) ? diagnostics.filter(isRecord) : []
  const counts = new Map<unknown, number>()
  const shown = all.filter(({ code }) => {
    const amount = (counts.get(code) ?? 0) + 1
    counts.set(code, amount)
    return amount <= MOST_OF_KIND
  })
  const lines = shown.map(found => {
    const place = [found.path, found.line, found.column].map(cell).filter(Boolean).join(':')
    return `${place} ${cell(found.message)}`
  })
  const more = all.length - shown.length
  return more === 0 ? lines : [...lines, `and ${more} more of these kinds; --json has them all`]
}

function contentLines(content: unknown, { style }: Parameters<Renderer>[1]): string[] {
  if (!isRecord(content) || !Array.isArray(content.files)) return []
  const files = content.files.filter(isRecord).flatMap(({ path, size, text }) => {
    const head = style.dim(`${cell(path)}, ${cell(size)} bytes`)
    return ['', head, ...(typeof text === 'string' ? [escapeHidden(text)] : [])]
  })
  return ['', style.dim(`digest ${cell(content.digest)}`), ...files]
}

/**
 * Fields that are the source of another field, fields that are listed separately, and constants that only
 * mean something to the program.
 */
function isShownElsewhere(key: string, metadata: Readonly<Record<string, unknown>>): boolean {
  if (key === 'parameters' || key === 'inputs')
    return Array.isArray(metadata.parameters) || isRecord(metadata.parameters)
  if (key === 'config_schema' || key === 'input_schema') return isRecord(metadata.parameters)
  if (/^[A-Z][A-Z0-9_]*$/.test(key)) return true
  return key === 'tool_description' && metadata.description === metadata.tool_description
}

function isEmpty(value: unknown): boolean {
  return value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
}

export const renderParse: Renderer = (answer, terminal) => {
  const { style } = terminal
  const items = Array.isArray(answer.items) ? answer.items.filter(isRecord) : []
  return items
    .map(item => {
      const diagnostics = Array.isArray(item.diagnostics) ? item.diagnostics.filter(isRecord) : []
      const metadata = isRecord(item.metadata) ? item.metadata : {}
      return [
        `${style.bold(cell(item.path))}  ${style.dim(`${cell(item.item_type)} ${cell(item.parser)}`)}`,
        ...columns(
          Object.entries(metadata)
            .filter(([key]) => !['raw', 'body', 'content'].includes(key))
            .map(([key, value]) => [style.dim(`  ${key}`), cell(value)]),
          terminal.columns,
        ),
        ...diagnostics.map(found =>
          style.yellow(`  ${cell(found.line)}:${cell(found.column)} ${cell(found.message)}`),
        ),
      ].join('\n')
    })
    .join('\n\n')
}
