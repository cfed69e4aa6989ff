// Reads the YAML front matter of SKILL.md, references and knowledge with `markdown/skill`, the parser that
// signing, search and serving use too. A rule or a table further down is text.
import {
  decodeText,
  describeAbsence,
  type Metadata,
  type ParseResult,
  parseDecoded,
  splitMatter,
} from '../../../parse/index.ts'
import type { FileReport, Place } from '../file-report.ts'

export interface FrontMatter {
  /** Empty when there is no front matter, or it cannot be parsed. */
  readonly data: Metadata
  /** The same, with numbers and booleans as they are spelled: `1.10`, not `1.1`. */
  readonly written: Metadata
  /** Everything after the front matter, without blanks at the ends. */
  readonly body: string
  /** Where the body begins in the text. */
  readonly end: number
  readonly isPresent: boolean
  /** What was found instead. Absent when there is front matter. */
  readonly absence?: string
  /** Keys whose values could not be read, or not completely; a diagnostic says why. */
  readonly leftOut: readonly string[]
  /** The position of a key, or the start of the file. */
  placeOf(key: string): Place
}

const PARSER = 'markdown/skill'
const FENCES = 'markdown/frontmatter'
const START: Place = { line: 1, column: 1 }
const ABSENT = new Set(['metadata-missing', 'file-empty'])

export interface ReadOptions {
  /** A leading ```yaml fence counts as front matter, as in knowledge items. */
  readonly fences?: boolean
  /** Fields below `metadata` are as good as those at the margin: the specification covers only `SKILL.md`. */
  readonly nested?: boolean
}

/** Undefined when the bytes are not text; every problem goes to the report. */
export async function readFrontMatter(
  bytes: Uint8Array,
  report: FileReport,
  options: ReadOptions = {},
): Promise<FrontMatter | undefined> {
  const decoded = decodeText(bytes)
  if (decoded.text === undefined) {
    report.add(decoded.diagnostics)
    return undefined
  }
  const { text } = decoded
  const block = splitMatter(text)
  if (block === undefined) {
    const fenced = options.fences ? await parseDecoded(FENCES, decoded, '.md') : undefined
    if (fenced && !fenced.diagnostics.some(found => ABSENT.has(found.code)))
      return present(fenced, { lines: [], end: 0 }, report)
    report.add(decoded.diagnostics)
    const { body } = await parseDecoded(PARSER, decoded, '.md')
    const absence = describeAbsence(text)
    const data: Metadata = Object.create(null)
    const placeOf = () => START
    return { data, written: data, body, end: 0, isPresent: false, absence, leftOut: [], placeOf }
  }
  if (!options.fences && !/^\s*---/.test(text)) {
    const message =
      'expected front matter on the first line, got a signature; that of a skill is in `SKILL.sig`'
    report.warning('front-matter-late', message)
  }
  const lines = text.slice(0, block.yaml.end).split('\n')
  const parsed = await parseDecoded(PARSER, decoded, '.md')
  const isMeant = (code: string) => !(options.nested && code === 'description-nested')
  const diagnostics = parsed.diagnostics.filter(({ code }) => isMeant(code))
  return present({ ...parsed, diagnostics }, { lines, end: block.end }, report)
}

interface Written {
  /** The lines of the file up to the end of the front matter. */
  readonly lines: readonly string[]
  readonly end: number
}

function present(parsed: ParseResult, { lines, end }: Written, report: FileReport): FrontMatter {
  report.add(parsed.diagnostics)
  const data = withoutBody(parsed.metadata)
  return {
    data,
    written: parsed.written ? withoutBody(parsed.written) : data,
    body: parsed.body,
    end,
    isPresent: true,
    leftOut: parsed.leftOut ?? [],
    placeOf: key => placeOf(lines, key),
  }
}

function withoutBody({ body: _, ...data }: Metadata): Metadata {
  return Object.assign(Object.create(null), data)
}

function placeOf(lines: readonly string[], key: string): Place {
  const index = lines.findIndex(line => line.trimStart().startsWith(`${key}:`))
  if (index === -1) return START
  return { line: index + 1, column: lines[index]!.indexOf(key) + 1 }
}
