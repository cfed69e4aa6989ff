// The rules by which a skill says for which projects it is. Each that can match nothing is told, and kept as it is written.
import { describeType, isRecord, type JsonValue, quoteText } from '../../base/index.ts'
import { parseBytes } from '../../parse/index.ts'
import { createFileReport, type FileReport } from './file-report.ts'
import type { SkillDiagnostic, SnifferRule } from './records.ts'

export const SNIFFER_FILE = 'extensions/sniffer/rules.toml'
/** The kinds of rules that mean something here. */
const RULE_TYPES: readonly string[] = ['file_exists', 'file_pattern']

/** The rules in a file of this name. */
export async function readRules(
  path: string,
  bytes: Uint8Array,
): Promise<{ rules: SnifferRule[]; diagnostics: SkillDiagnostic[] }> {
  const diagnostics: SkillDiagnostic[] = []
  return { rules: await readSnifferRules(bytes, createFileReport(path, diagnostics)), diagnostics }
}

/** `[[match]]` tables with `type` and `pattern`; an entry without both is ignored. */
export async function readSnifferRules(bytes: Uint8Array, report: FileReport): Promise<SnifferRule[]> {
  const { metadata, diagnostics } = await parseBytes('toml/toml', bytes, '.toml')
  report.add(diagnostics.filter(found => found.code !== 'file-empty'))
  const { match } = metadata
  if (Array.isArray(match)) return match.flatMap((table, index) => readRule(table, index + 1, report))
  if (match !== undefined)
    report.warning('sniffer-rule', `expected tables \`[[match]]\`, got \`match\` as ${describeType(match)}`)
  else if (Object.keys(metadata).length > 0)
    report.warning('sniffer-rule', 'expected tables `[[match]]`, got none: it matches nothing')
  return []
}

function readRule(table: JsonValue, number: number, report: FileReport): SnifferRule[] {
  const { type, pattern } = isRecord(table) ? table : {}
  if (typeof type !== 'string' || typeof pattern !== 'string') {
    report.warning('sniffer-rule', `rule ${number}: expected \`type\` and \`pattern\`, both text`)
    return []
  }
  const problem = ruleProblem({ type, pattern })
  if (problem !== undefined) report.warning('sniffer-rule', `rule ${number}: ${problem}: it matches nothing`)
  return [{ type, pattern }]
}

/** Why a rule can match nothing in any project. */
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
