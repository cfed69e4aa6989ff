// `markdown/skill`: SKILL.md and the documents beside it, as people really write them. Whatever can be
// understood is read, and each repair is a warning; `rye skills validate` turns these into errors against the
// specification. Only bytes that are not text are refused.
import { type Diagnostic, describeType, isRecord, type JsonValue } from '../../base/index.ts'
import { createMetadata } from '../metadata.ts'
import { createReport, type Report } from '../report.ts'
import { skipSignatureLine } from '../signature-line.ts'
import type { Metadata, Parser } from '../types.ts'
import { describeAbsence, type MatterBlock, splitMatter } from './matter-block.ts'
import { repairYaml } from './repair-yaml.ts'

/** Fields that are always text, even where YAML reads a number or a boolean such as `yes`. */
const TEXTS = ['name', 'description', 'license', 'compatibility', 'allowed-tools']
/** Fields that are searched by their words, so a version among them, such as `1.10`, stays as written. */
const LABELS = ['title', 'category', 'tags', 'keywords']

export const markdownSkill: Parser = {
  name: 'markdown/skill',
  async parse({ text }) {
    const report = createReport(text)
    const begin = skipSignatureLine(text)
    const block = splitMatter(text, begin)
    if (block === undefined) {
      report.warning('metadata-missing', describeAbsence(text), begin)
      const body = text.slice(begin).trim()
      return { metadata: withBody(createMetadata(), body), body, diagnostics: report.diagnostics }
    }
    reportMarks(text, begin, block, report)
    const { metadata, written, diagnostics, leftOut } = await repairYaml(text, block.yaml)
    const body = text.slice(block.end).trim()
    const given = useNested(metadata, text, block, report)
    const texts = readTexts({ given, written }, text, block, report)
    return {
      metadata: withBody(texts.metadata, body),
      written: withBody(spelled(texts.metadata, written), body),
      body,
      leftOut: [...leftOut, ...texts.leftOut],
      diagnostics: sorted([...report.diagnostics, ...diagnostics]),
    }
  },
}

/** Warns about irregular lines that open and close the front matter. */
function reportMarks(text: string, begin: number, block: MatterBlock, report: Report): void {
  const { start, closing, end } = block
  if (block.blankLines)
    report.warning('front-matter-late', 'blank lines before the front matter are left out', begin)
  const marks = closing === undefined ? [start] : [start, closing]
  for (const mark of marks) {
    if (!/^[ \t]*\S+[ \t]/.test(text.slice(mark, mark + 200))) continue
    const message = 'expected `---` alone on its line, got blanks after it; they are ignored'
    report.warning('front-matter-blanks', message, mark)
  }
  if (closing === undefined) {
    const rest = end + /^\s*/.exec(text.slice(end))![0].length
    const line = text.slice(0, rest).split('\n').length
    const found =
      rest === text.length
        ? 'got none; all of it is read as front matter'
        : `got none before line ${line}; the text begins there`
    const message = `expected a line \`---\` to end the front matter, ${found}`
    report.warning('frontmatter-unterminated', message, start)
  } else if (text.startsWith('...', closing)) {
    const message = 'expected a line `---` to end the front matter, got `...`; it is taken as the end'
    report.warning('front-matter-dots', message, closing)
  } else if (!text.startsWith('---', closing)) {
    const message =
      'expected `---` at the margin to end the front matter, got an indented one; it is taken as the end'
    report.warning('front-matter-indent', message, closing)
  }
}

/** Adds the body, and drops a blank name or description. */
function withBody(metadata: Metadata, body: string): Metadata {
  const filled = Object.entries(metadata).filter(
    ([key, value]) => !((key === 'name' || key === 'description') && isBlank(value)),
  )
  return Object.assign(createMetadata(), Object.fromEntries(filled), { body })
}

/** The metadata, with values that are not text as they are written. */
function spelled(metadata: Metadata, written: Metadata): Metadata {
  const values = Object.entries(metadata).map(([key, value]): [string, JsonValue] => [
    key,
    typeof value === 'string' ? value : (written[key] ?? value),
  ])
  return Object.fromEntries(values)
}

function isBlank(value: JsonValue): boolean {
  return typeof value === 'string' && value.trim() === ''
}

/** Uses a description given only below `metadata` as the description. */
function useNested(
  metadata: Metadata,
  text: string,
  { yaml, margin }: MatterBlock,
  report: Report,
): Metadata {
  const nested = isRecord(metadata.metadata) ? metadata.metadata.description : undefined
  if (typeof nested !== 'string' || isBlank(nested) || !isBlank(metadata.description ?? '')) return metadata
  const message = 'expected `description` at the margin, got it below `metadata`; it is used'
  const source = text.slice(yaml.start, yaml.end)
  report.warning('description-nested', message, yaml.start + findNested(source, margin))
  return { ...metadata, description: nested }
}

/**
 * The offset of the `description` directly below `metadata`, not of one deeper or further down. When it is
 * written in another way, the offset of `metadata` itself.
 */
function findNested(source: string, margin: string): number {
  const outer = Math.max(0, findKey(source, margin, 'metadata'))
  const [head = '', ...lines] = source.slice(outer).split('\n')
  let place = outer + head.length + 1
  let indent: string | undefined
  for (const line of lines) {
    const [, blanks = '', rest = ''] = /^([ \t]*)(.*)$/.exec(line.trimEnd()) ?? []
    if (rest !== '' && !rest.startsWith('#')) {
      if (blanks.length <= margin.length) return outer
      indent ??= blanks
      if (blanks === indent && /^(["']?)description\1[ \t]*:/.test(rest)) return place + blanks.length
    }
    place += line.length + 1
  }
  return outer
}

interface GivenTexts {
  readonly given: Metadata
  readonly written: Metadata
}

/** Keeps `name: 2024` and `license: 1.10` as spelled. Drops a name or description that is not one value. */
function readTexts(
  { given, written }: GivenTexts,
  text: string,
  { yaml, margin }: MatterBlock,
  report: Report,
) {
  const metadata = { ...given }
  const leftOut: string[] = []
  const source = text.slice(yaml.start, yaml.end)
  for (const key of TEXTS) {
    const value = metadata[key] ?? null
    if (value === null || typeof value === 'string') continue
    const place = yaml.start + Math.max(0, findKey(source, margin, key))
    if (typeof value !== 'object') {
      const message = `\`${key}\`: expected text, got ${typeof value}; put it in quotes`
      report.warning('field-quotes', message, place)
      metadata[key] = String(written[key] ?? value)
    } else if (key === 'name' || key === 'description') {
      const message = `\`${key}\`: expected text, got ${describeType(value)}; it is left out`
      report.warning('field-type', message, place)
      delete metadata[key]
      leftOut.push(key)
    }
  }
  for (const key of LABELS) {
    const value = metadata[key] ?? null
    if (Array.isArray(value) || typeof value === 'number') metadata[key] = written[key] ?? value
  }
  return { metadata, leftOut }
}

/** The offset of a top-level key, or -1 when it is written in another way. */
function findKey(source: string, margin: string, key: string): number {
  const found = new RegExp(`^${margin}(["']?)${key}\\1[ \\t]*:(?=[ \\t]|$)`, 'm').exec(source)
  return found ? found.index + margin.length : -1
}

function sorted(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return [...diagnostics].sort((a, b) => a.line - b.line || a.column - b.column)
}
