// Front matter that is nearly YAML. It is read as it is; then with unquoted colons quoted, the most common mistake
// (`description: Use this: now`); then key by key, so that one bad value costs that value alone.
import type { Diagnostic } from '../../base/index.ts'
import { createMetadata } from '../metadata.ts'
import { createReport } from '../report.ts'
import type { Metadata } from '../types.ts'
import { readYaml } from '../yaml/read-yaml.ts'

interface Span {
  readonly start: number
  readonly end: number
}

interface Read {
  readonly metadata: Metadata
  readonly diagnostics: readonly Diagnostic[]
}

/** More are not front matter. */
const MOST_ENTRIES = 500
const ENTRY = /^(["']?)([\w][\w .-]{0,100})\1[ \t]*:(?:[ \t]+(.*))?$/

/** Reads a part of a text as YAML. Every problem is a warning. */
export async function repairYaml(text: string, span: Span): Promise<Read> {
  const plain = await read(text, span)
  const problem = plain.diagnostics.find(found => found.code === 'yaml-syntax')
  if (!problem) return asWarnings(plain)
  const lines = text.slice(span.start, span.end).split('\n')
  const quoted = quoteColons(lines)
  const again = quoted && (await read(text, span, quoted.join('\n')))
  if (again && !again.diagnostics.some(found => found.code === 'yaml-syntax')) {
    const message = 'a value that holds `: ` needs quotes; it is read as if it had them'
    const warning: Diagnostic = { ...problem, severity: 'warning', code: 'yaml-unquoted-colon', message }
    return { metadata: again.metadata, diagnostics: [warning, ...asWarnings(again).diagnostics] }
  }
  return readEntries(text, span, problem)
}

/** `changed` is read in place of the span: the same lines, with more characters. */
async function read(text: string, { start, end }: Span, changed?: string): Promise<Read> {
  const report = createReport(text)
  const excerpt = {
    text: changed ?? text.slice(start, end),
    toFileOffset: (offset: number) => Math.min(start + offset, end),
  }
  return { metadata: await readYaml(excerpt, report), diagnostics: report.diagnostics }
}

function asWarnings({ metadata, diagnostics }: Read): Read {
  return { metadata, diagnostics: diagnostics.map(found => ({ ...found, severity: 'warning' })) }
}

async function readEntries(text: string, span: Span, problem: Diagnostic): Promise<Read> {
  const entries = splitEntries(text, span)
  if (entries.length > MOST_ENTRIES) return asWarnings({ metadata: createMetadata(), diagnostics: [problem] })
  const metadata = createMetadata()
  const report = createReport(text)
  for (const entry of entries) {
    const line = text.slice(entry.start, entry.end).trimEnd()
    if (line === '' || line.startsWith('#')) continue
    const [, , key, value = ''] = ENTRY.exec(line.split('\n', 1)[0]!) ?? []
    if (key === undefined) {
      report.warning('yaml-repaired', 'expected `key: value`; the line is left out', entry.start)
      continue
    }
    const { metadata: found, diagnostics } = await read(text, entry)
    const wrong = diagnostics.find(one => one.severity === 'error')
    if (wrong === undefined) Object.assign(metadata, found)
    else if (line.includes('\n') || value === '' || /^(?:\{|\[[^\]]*$)/.test(value))
      report.warning('yaml-repaired', `\`${key}\` is no YAML and is left out: ${wrong.message}`, entry.start)
    else {
      metadata[key] = withoutQuotes(value.trim())
      report.warning(
        'yaml-repaired',
        `\`${key}\` is no YAML and is read as text: ${wrong.message}`,
        entry.start,
      )
    }
  }
  return { metadata, diagnostics: report.diagnostics }
}

/** Also without one that is never closed. */
function withoutQuotes(value: string): string {
  const [, mark, inside] = /^(["'])(.*)$/.exec(value) ?? []
  if (mark === undefined || inside === undefined) return value
  if (!inside.includes(mark)) return inside
  return inside.indexOf(mark) === inside.length - 1 ? inside.slice(0, -1) : value
}

/** A line at the margin begins an entry; what is indented below it, or blank, belongs to it. */
function splitEntries(text: string, { start, end }: Span): Span[] {
  const starts: number[] = []
  for (let line = start; line < end; ) {
    const next = text.indexOf('\n', line)
    const isInside = /^(?:[ \t]|$|\n|- )/.test(text.slice(line, line + 2))
    if (!isInside || starts.length === 0) starts.push(line)
    line = next === -1 ? end : next + 1
  }
  return starts.map((from, index) => ({ start: from, end: starts[index + 1] ?? end }))
}

/** The lines with plain values that hold `: ` or end in `:` quoted; undefined when there are none. */
function quoteColons(lines: readonly string[]): string[] | undefined {
  let changed = false
  const quoted = lines.map(line => {
    const [, key, value] = /^([ \t]*(?:- )?[\w-]+:[ \t]+)(\S.*)$/.exec(line) ?? []
    if (key === undefined || value === undefined) return line
    if (/^['"[{|>&*!%@`#]/.test(value) || !/:(?: |$)/.test(value)) return line
    changed = true
    return key + JSON.stringify(value.trimEnd())
  })
  return changed ? quoted : undefined
}
