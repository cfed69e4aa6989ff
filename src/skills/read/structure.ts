// The layout of a skill folder: required and optional files, documents, sniffer rules.
import { isRecord } from '../../base/index.ts'
import { parseBytes } from '../../parse/index.ts'
import type { FileReport } from './file-report.ts'
import type { DocsAvailable, SkillFolder, SkillStructure, SnifferRule, StructureItem } from './records.ts'

export const SKILL_FILE = 'SKILL.md'
export const SNIFFER_FILE = 'extensions/sniffer/rules.toml'

export const SKILL_STRUCTURE: SkillStructure = {
  required: [{ path: SKILL_FILE, description: 'what the skill is and how it is used', item_type: 'file' }],
  default: [
    { path: 'scripts/', description: 'programs and decorated functions', item_type: 'dir' },
    { path: 'templates/', description: 'files to fill in', item_type: 'dir' },
    { path: 'references/', description: 'documents to read when needed', item_type: 'dir' },
  ],
  optional: [
    { path: 'assets/', description: 'files used in the output', item_type: 'dir' },
    { path: 'extensions/', description: 'rules for hosts', item_type: 'dir' },
    { path: 'tests/', description: 'tests of the scripts', item_type: 'dir' },
    { path: 'README.md', description: 'notes for people', item_type: 'file' },
  ],
}

/** The required items that a folder lacks. */
export function findMissing(folder: SkillFolder): StructureItem[] {
  return SKILL_STRUCTURE.required.filter(({ path, item_type }) => {
    if (item_type === 'file') return !folder.files.has(path)
    const prefix = path.endsWith('/') ? path : `${path}/`
    return ![...folder.files.keys()].some(file => file.startsWith(prefix))
  })
}

export function findDocs(folder: SkillFolder): DocsAvailable {
  const paths = [...folder.files.keys()]
  return {
    skill_md: folder.files.has(SKILL_FILE),
    readme: paths.some(path => /^readme(?:\.(?:md|txt|rst))?$/i.test(path)),
    tests: paths.some(path => /^(?:scripts\/)?tests?\//.test(path)),
  }
}

/** `[[match]]` tables with `type` and `pattern`; an entry without both is reported and ignored. */
export async function readSnifferRules(bytes: Uint8Array, report: FileReport): Promise<SnifferRule[]> {
  const { metadata, diagnostics } = await parseBytes('toml/toml', bytes, '.toml')
  report.add(diagnostics.filter(found => found.code !== 'file-empty'))
  const tables = Array.isArray(metadata.match) ? metadata.match : []
  return tables.flatMap((table, index) => {
    const { type, pattern } = isRecord(table) ? table : {}
    if (typeof type === 'string' && typeof pattern === 'string') return [{ type, pattern }]
    report.warning('sniffer-rule', `rule ${index + 1}: expected \`type\` and \`pattern\`, both text`)
    return []
  })
}
