// Reads the rules in which a skill says which projects it is for. A rule that cannot match anything is
// reported, but kept as written.
import { describeType, isRecord, type JsonValue, quoteText } from '../../base/index.ts'
import { decodeText, parseBytes } from '../../parse/index.ts'
import { createFileReport, type FileReport, type Place } from './file-report.ts'
import type { SkillDiagnostic, SnifferRule } from './records.ts'

export const SNIFFER_FILE = 'extensions/sniffer/rules.toml'
/** The kinds of rules that mean something here. */
const RULE_TYPES: readonly string[] = ['file_exists', 'file_pattern']

/** For lines without leading blanks: a pattern with two runs of blanks in a row would try every split. */
const TABLE = /^\[\[\s*match\s*\]\]/
const MATCH = /^\[{0,2}\s*match\b/

/** Reads the rules of a file. Its diagnostics get this path. */
export async function readRules(
  path: string,
  bytes: Uint8Array,
): Promise<{ rules: SnifferRule[]; diagnostics: SkillDiagnostic[] }> {
  const diagnostics: SkillDiagnostic[] = []
  return { rules: await readSnifferRules(bytes, createFileReport(path, diagnostics)), diagnostics }
}

/** Reads `[[match]]` tables with `type` and `pattern`. An entry that lacks one is reported and left out. */
export async function readSnifferRules(bytes: Uint8Array, report: FileReport): Promise<SnifferRule[]> {
  const { metadata, diagnostics } = await parseBytes('toml/toml', bytes, '.toml')
  report.add(diagnostics.filter(found => found.code !== 'file-empty'))
  const { match } = metadata
  const lines = (decodeText(bytes).text ?? '').split('\n').map(line => ({ text: line.trimStart(), line }))
  if (Array.isArray(match)) {
    const places = placesOfTables(lines, match.length)
    return match.flatMap((table, index) =>
      readRule(table, { number: index + 1, placeOf: key => places[index]?.(key) }, report),
    )
  }
  if (match !== undefined) {
    const message = `expected \`[[match]]\` tables, got \`match\` as ${describeType(match)}`
    report.warning('sniffer-rule', message, placeOfLine(lines, MATCH))
  } else if (Object.keys(metadata).length > 0)
    report.warning('sniffer-rule', 'expected `[[match]]` tables, got none: the file matches nothing')
  return []
}

type Key = keyof SnifferRule

interface WrittenRule {
  readonly number: number
  /** Where a key of the rule is set, or else where the rule begins, as far as that is known. */
  placeOf(key?: Key): Place | undefined
}

function readRule(table: JsonValue, { number, placeOf }: WrittenRule, report: FileReport): SnifferRule[] {
  const { type, pattern } = isRecord(table) ? table : {}
  if (typeof type !== 'string' || typeof pattern !== 'string') {
    const message = `rule ${number}: expected \`type\` and \`pattern\`, both text`
    const other = ([type, pattern] as const).findIndex(
      value => value !== undefined && typeof value !== 'string',
    )
    report.warning('sniffer-rule', message, placeOf((['type', 'pattern'] as const)[other]))
    return []
  }
  const problem = ruleProblem({ type, pattern })
  const literal = literalSigns({ type, pattern })
  if (problem !== undefined) {
    const key = RULE_TYPES.includes(type) ? 'pattern' : 'type'
    report.warning('sniffer-rule', `rule ${number}: ${problem}: it matches nothing`, placeOf(key))
  } else if (literal !== undefined) {
    report.warning('sniffer-rule', `rule ${number}: ${literal}`, placeOf('pattern'))
  }
  return [{ type, pattern }]
}

/** The place of each `[[match]]`, in order. Rules written in another way all get the place of `match`. */
function placesOfTables(lines: readonly Line[], count: number): ((key?: Key) => Place | undefined)[] {
  const starts = lines.flatMap(({ text }, index) => (TABLE.test(text) ? [index] : []))
  if (starts.length !== count) {
    const place = placeOfLine(lines, MATCH)
    return Array.from({ length: count }, () => () => place)
  }
  return starts.map((start, index) => key => {
    const own = lines.slice(start, starts[index + 1])
    const place = (key && placeOfLine(own, new RegExp(`^${key}\\s*=`))) ?? placeOfLine(own, TABLE)!
    return { ...place, line: start + place.line }
  })
}

interface Line {
  /** The line without leading blanks. */
  readonly text: string
  readonly line: string
}

function placeOfLine(lines: readonly Line[], pattern: RegExp): Place | undefined {
  const index = lines.findIndex(({ text }) => pattern.test(text))
  if (index === -1) return undefined
  const { text, line } = lines[index]!
  return { line: index + 1, column: line.length - text.length + 1 }
}

/** Says of signs that other kinds of patterns give a meaning that they are plain characters here. */
function literalSigns({ type, pattern }: SnifferRule): string | undefined {
  const shown = quoteText(pattern, 60)
  if (type === 'file_exists')
    return /[*?]/.test(pattern) ? `\`file_exists\` takes ${shown} as a name: use \`file_pattern\`` : undefined
  if (!/\{.*,.*\}|\[.+\]/.test(pattern)) return undefined
  return `only \`*\`, \`?\` and \`**\` stand for others in ${shown}: write a rule for each`
}

/** Why a rule cannot match anything in any project. Undefined when it can. */
export function ruleProblem({ type, pattern }: SnifferRule): string | undefined {
  if (!RULE_TYPES.includes(type)) {
    const expected = RULE_TYPES.map(one => `\`${one}\``).join(' or ')
    return `expected the type ${expected}, got ${quoteText(type, 40)}`
  }
  const staysInside =
    !pattern.includes('\\') &&
    !pattern.includes('\0') &&
    pattern.split('/').every(part => part !== '' && part !== '.' && part !== '..')
  if (staysInside) return undefined
  return `expected a plain path or pattern below the project, got ${quoteText(pattern, 60)}`
}
