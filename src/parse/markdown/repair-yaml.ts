// Reads front matter that is nearly YAML: first as it is, then with the most common mistakes repaired, one
// kind after another, and finally key by key, so that a bad value loses only itself.
import type { Diagnostic } from '../../base/index.ts'
import { createMetadata } from '../metadata.ts'
import { createReport } from '../report.ts'
import type { Metadata } from '../types.ts'
import { MAX_CHARACTERS, readYaml, spellMetadata } from '../yaml/read-yaml.ts'
import { moveToMargin } from './common-margin.ts'
import { REPAIRS } from './line-repairs.ts'
import { endOfDelimited } from './matter-lines.ts'

interface Span {
  readonly start: number
  readonly end: number
}

interface Read {
  readonly metadata: Metadata
  /** The same metadata, with numbers and booleans as they are written. */
  readonly written: Metadata
  readonly diagnostics: readonly Diagnostic[]
  /** Keys whose values could not be read, or not completely. */
  readonly leftOut: readonly string[]
}

/** Further entries are left out. */
const MOST_ENTRIES = 500
/** At most this many of the keys left out are named. */
const MOST_NAMED = 100
/** When entries are read one by one, a value in quotes or brackets is followed for this many characters. */
const MOST_INSIDE = 20_000
const ENTRY = /^(["']?)([\w][\w .-]{0,100})\1[ \t]*:(?:[ \t]+(.*))?$/
/** After one of these, nothing was read. */
const FATAL = new Set(['yaml-syntax', 'yaml-tag', 'yaml-not-mapping'])

/** Reads a part of a text as YAML. Every problem is reported as a warning. */
export async function repairYaml(text: string, span: Span): Promise<Read> {
  const limit = span.start + MAX_CHARACTERS
  const read = span.end > limit ? undefined : await readRepaired(text, span)
  if (read && !read.diagnostics.some(isFatal)) return asWarnings(read)
  const atMargin = moveToMargin(text, span)
  if (atMargin) {
    const found = await repairYaml(atMargin.text, atMargin.span)
    return { ...found, diagnostics: found.diagnostics.map(atMargin.toWritten) }
  }
  const entries = splitEntries(text, { ...span, end: Math.min(span.end, limit) })
  if (span.end <= limit && entries.length <= MOST_ENTRIES) return readEntries(text, entries)
  // The last entry may continue past the limit.
  const rest = { start: entries.at(-1)!.start, end: span.end }
  const found = await readEntries(text, entries.slice(0, -1))
  const report = createReport(text)
  const message = `expected at most ${MOST_ENTRIES} fields and ${MAX_CHARACTERS} characters; everything after that is left out`
  report.warning('yaml-too-large', message, rest.start)
  return {
    metadata: found.metadata,
    written: found.written,
    diagnostics: [...found.diagnostics, ...report.diagnostics],
    leftOut: [...found.leftOut, ...keysIn(text.slice(rest.start, rest.end), found.metadata)],
  }
}

/** Keys at the margin that are not in `known`; at most `MOST_NAMED`. */
function keysIn(text: string, known: Metadata): string[] {
  const keys = new Set<string>()
  for (const [, , key] of text.matchAll(/^(["']?)([\w][\w .-]{0,100})\1[ \t]*:(?=[ \t]|$)/gm)) {
    if (keys.size === MOST_NAMED) break
    if (!Object.hasOwn(known, key!)) keys.add(key!)
  }
  return [...keys]
}

function isFatal({ code }: Diagnostic): boolean {
  return FATAL.has(code)
}

function asWarnings(read: Read): Read {
  return { ...read, diagnostics: read.diagnostics.map(found => ({ ...found, severity: 'warning' })) }
}

/** Reads it as it is, or with as few kinds of repair as needed. Failing both, returns the first attempt. */
async function readRepaired(text: string, span: Span): Promise<Read> {
  const asWritten = text.slice(span.start, span.end).split('\n')
  const starts = startsOf(asWritten)
  const plain = await read(text, asWritten, offset => Math.min(span.start + offset, span.end))
  if (!plain.diagnostics.some(isFatal)) return plain
  const report = createReport(text)
  let lines: readonly string[] = asWritten
  for (const { code, repair } of REPAIRS) {
    const repaired = repair(lines)
    if (repaired.places.length === 0) continue
    lines = repaired.lines
    for (const { line, message } of repaired.places)
      report.warning(code, message, span.start + starts[line]! + indentOf(asWritten[line]!))
    const changed = startsOf(lines)
    const again = await read(text, lines, offset => {
      const line = changed.findLastIndex(start => start <= offset)
      return span.start + starts[line]! + Math.min(offset - changed[line]!, asWritten[line]!.length)
    })
    if (!again.diagnostics.some(isFatal))
      return { ...again, diagnostics: [...report.diagnostics, ...again.diagnostics] }
  }
  return plain
}

async function read(
  text: string,
  lines: readonly string[],
  toFileOffset: (offset: number) => number,
): Promise<Read> {
  const report = createReport(text)
  const source = lines.join('\n')
  const metadata = await readYaml({ text: source, toFileOffset }, report)
  const written = await spellMetadata(metadata, source)
  return { metadata, written, diagnostics: report.diagnostics, leftOut: [...report.leftOut] }
}

/** Where each line begins. */
function startsOf(lines: readonly string[]): number[] {
  let next = 0
  return lines.map(line => {
    const start = next
    next += line.length + 1
    return start
  })
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}

async function readEntries(text: string, entries: readonly Span[]): Promise<Read> {
  const metadata = createMetadata()
  const written = createMetadata()
  const report = createReport(text)
  let strays: Span | undefined
  const reportStrays = () => {
    if (strays === undefined) return
    const { length } = linesOf(text, strays)
    const done = length === 1 ? 'the line is left out' : `${length} lines are left out`
    report.warning('yaml-repaired', `expected \`key: value\`; ${done}`, strays.start)
    strays = undefined
  }
  for (const entry of entries) {
    const lines = linesOf(text, entry)
    if (lines[0] === '' || lines[0]!.startsWith('#')) continue
    const [, , key, value = ''] = ENTRY.exec(lines[0]!) ?? []
    if (key === undefined) {
      strays = { start: strays?.start ?? entry.start, end: entry.end }
      continue
    }
    reportStrays()
    const read = await readRepaired(text, entry)
    const wrong = read.diagnostics.find(isFatal)
    // When a key is given twice, the last value counts.
    report.leftOut.delete(key)
    if (wrong === undefined) {
      Object.assign(metadata, read.metadata)
      Object.assign(written, read.written)
      report.diagnostics.push(...asWarnings(read).diagnostics)
      for (const field of read.leftOut) report.leftOut.add(field)
      continue
    }
    const words = wordsOf(value, lines.slice(1))
    if (words !== undefined) metadata[key] = written[key] = words
    else if (!Object.hasOwn(metadata, key)) report.leftOut.add(key)
    const size = lines.length === 1 ? '' : ` (${lines.length} lines)`
    const done = words === undefined ? 'left out' : 'read as text'
    report.warning(
      'yaml-repaired',
      `\`${key}\`${size} is not valid YAML and is ${done}: ${wrong.message}`,
      entry.start,
    )
  }
  reportStrays()
  return { metadata, written, diagnostics: report.diagnostics, leftOut: [...report.leftOut] }
}

/** The lines of a span, without blank lines at the end. */
function linesOf(text: string, { start, end }: Span): string[] {
  return text
    .slice(start, end)
    .trimEnd()
    .split('\n')
    .map(line => line.trimEnd())
}

/** A value that is not YAML, as text. Undefined when it is empty, or was meant to be a mapping or a list. */
function wordsOf(value: string, below: readonly string[]): string | undefined {
  if (value === '') return undefined
  if (/^[|>][-+\d]*$/.test(value))
    return below.length > 0 ? below.map(line => line.trim()).join('\n') : undefined
  // A required field that is indented by mistake is not part of a text.
  if (below.some(line => /^\s*(?:name|description)[ \t]*:/.test(line))) return undefined
  // A template mark such as `{{name}}` is text.
  if (/^(?:\{(?!\{)|\[[^\]]*$)/.test(value)) return undefined
  return withoutQuotes([value, ...below].map(line => line.trim()).join(' '))
}

/** Strips the quotes around the whole value, even when one inside is not escaped or the last is missing. */
function withoutQuotes(value: string): string {
  const [, mark, inside] = /^(["'])(.*)$/s.exec(value) ?? []
  if (mark === undefined || inside === undefined) return value
  if (!inside.includes(mark)) return inside
  if (!inside.endsWith(mark)) return value
  const words = inside.slice(0, -1)
  // `"this" or "that"` is not quoted as a whole: its second mark closes the first.
  const second = words.indexOf(mark)
  const isPaired = words.split(mark).length % 2 === 1
  const isClosing = /\S/.test(words.charAt(second - 1)) && !/[\p{L}\p{N}]/u.test(words.charAt(second + 1))
  return isPaired && second > 0 && isClosing ? value : words
}

/** A line at the margin begins an entry, unless it is blank, a list item or inside the value above. */
function splitEntries(text: string, { start, end }: Span): Span[] {
  const starts: number[] = []
  let valueEnd = start
  for (let line = start; line < end && starts.length <= MOST_ENTRIES; ) {
    const next = text.indexOf('\n', line)
    const isInside = line < valueEnd || /^(?:[ \t]|$|\n|- )/.test(text.slice(line, line + 2))
    if (!isInside || starts.length === 0) starts.push(line)
    if (line >= valueEnd) valueEnd = endOfOpenValue(text, line, end)
    line = next === -1 ? end : next + 1
  }
  return starts.map((from, index) => ({ start: from, end: starts[index + 1] ?? end }))
}

/**
 * The end of a value in quotes or brackets that begins on this line. If a key comes before that end, the
 * closing mark was forgotten, and the result is `line`.
 */
function endOfOpenValue(text: string, line: number, limit: number): number {
  const near = text.slice(line, Math.min(limit, line + MOST_INSIDE))
  const [opening] = /^\w[\w .-]{0,100}:[ \t]+(?=["'[{])/.exec(near) ?? []
  if (opening === undefined) return line
  const nextKey = near.search(/\n["']?\w[\w-]{0,100}["']?:(?:[ \t]|\n)/)
  const end = endOfDelimited(near, opening.length, nextKey === -1 ? near.length : nextKey)
  return end === undefined ? line : line + end
}
