// YAML front matter of SKILL.md, references and knowledge. It must begin on the first line: a rule or a table further
// down is text. The most common mistake is an unquoted colon (`description: Use this: now`), so front matter that does
// not parse is parsed again with such values quoted.
import type { Diagnostic } from '../../../base/index.ts'
import { decodeText, type Metadata, type ParseResult, parseBytes } from '../../../parse/index.ts'
import type { FileReport, Place } from '../file-report.ts'

export interface FrontMatter {
  /** Empty when there is no front matter, or it cannot be parsed. */
  readonly data: Metadata
  /** Everything after it. */
  readonly body: string
  readonly isPresent: boolean
  /** The position of a key, or the start of the file. */
  placeOf(key: string): Place
  /** The value of a key as written, when it is a plain scalar on the key's line: `1.10` is not `1.1`. */
  sourceOf(key: string): string | undefined
}

const PARSER = 'markdown/frontmatter'
const START: Place = { line: 1, column: 1 }
const ABSENT = new Set(['metadata-missing', 'file-empty'])
const NOWHERE: Pick<FrontMatter, 'placeOf' | 'sourceOf'> = { placeOf: () => START, sourceOf: () => undefined }

/**
 * Undefined when the bytes are not text; every problem goes to the report. With `fences`, a leading ```yaml fence counts
 * as front matter, as in knowledge items.
 */
export async function readFrontMatter(
  bytes: Uint8Array,
  report: FileReport,
  options: { readonly fences?: boolean } = {},
): Promise<FrontMatter | undefined> {
  const decoded = decodeText(bytes)
  if (decoded.text === undefined) {
    report.add(decoded.diagnostics)
    return undefined
  }
  const { text } = decoded
  const lines = matterLines(text)
  if (lines.length === 0) {
    const fenced = options.fences ? await parseBytes(PARSER, bytes, '.md') : undefined
    if (fenced && !fenced.diagnostics.some(found => ABSENT.has(found.code)))
      return present(fenced, [], report)
    report.add(decoded.diagnostics)
    return { ...NOWHERE, data: Object.create(null), body: text, isPresent: false }
  }
  return present(await parseLeniently(bytes, text, lines), lines, report)
}

function present(parsed: ParseResult, lines: readonly string[], report: FileReport): FrontMatter {
  report.add(parsed.diagnostics)
  const { body: _, ...data } = parsed.metadata
  return {
    data: Object.assign(Object.create(null), data),
    body: parsed.body,
    isPresent: true,
    placeOf: key => placeOf(lines, key),
    sourceOf: key => sourceOf(lines, key),
  }
}

/** The lines of the block from its opening `---`; none when the file does not begin with one. */
function matterLines(text: string): string[] {
  if (!/^---[ \t]*(?:\n|$)/.test(text)) return []
  const lines: string[] = []
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start)
    const line = text.slice(start, end === -1 ? text.length : end)
    if (lines.length > 0 && /^(?:---|\.\.\.)[ \t]*$/.test(line)) break
    lines.push(line)
    if (end === -1) break
    start = end + 1
  }
  return lines
}

async function parseLeniently(
  bytes: Uint8Array,
  text: string,
  lines: readonly string[],
): Promise<ParseResult> {
  const parsed = await parseBytes(PARSER, bytes, '.md')
  const problem = parsed.diagnostics.find(found => found.code === 'yaml-syntax')
  const quoted = problem && quoteColons(lines)
  if (!problem || !quoted) return parsed
  const length = lines.reduce((total, line) => total + line.length + 1, 0)
  const retried = await parseBytes(PARSER, Buffer.from(`${quoted.join('\n')}\n${text.slice(length)}`), '.md')
  if (retried.diagnostics.some(found => found.code === 'yaml-syntax')) return parsed
  const warning: Diagnostic = {
    ...problem,
    severity: 'warning',
    code: 'yaml-unquoted-colon',
    message: 'a value that holds `: ` needs quotes; it is read as if it had them',
  }
  return { ...retried, diagnostics: [warning, ...retried.diagnostics] }
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

function placeOf(lines: readonly string[], key: string): Place {
  const index = lines.findIndex(line => line.trimStart().startsWith(`${key}:`))
  if (index === -1) return START
  return { line: index + 1, column: lines[index]!.indexOf(key) + 1 }
}

function sourceOf(lines: readonly string[], key: string): string | undefined {
  const { line } = placeOf(lines, key)
  const text = lines[line - 1]?.trimStart()
  if (!text?.startsWith(`${key}:`)) return undefined
  return /^[ \t]+([^\s#'"[{|>&*!]\S*)[ \t]*(?:#.*)?$/.exec(text.slice(key.length + 1))?.[1]
}
