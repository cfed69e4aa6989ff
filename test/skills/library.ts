// Skills for tests: the golden library on disk, and folders made from texts.
import { fileURLToPath } from 'node:url'
import { findSkillFolders } from '../../src/skills/folders/find-skill-folders.ts'
import type { SkillScan } from '../../src/skills/read/link-skills.ts'
import { readSkill } from '../../src/skills/read/read-skill.ts'
import type { SkillFolder } from '../../src/skills/read/records.ts'
import { scanSkills } from '../../src/skills/read/scan-skills.ts'
import type { FoldersToIndex } from '../../src/skills/table/collect-rows.ts'

export const LIBRARY = fileURLToPath(new URL('../corpus/skills/library', import.meta.url))

/** The tools of that library, by their keys. */
export const LIBRARY_TOOLS = [
  '_template.hello',
  '_template.list_things',
  'broken.after',
  'broken.before',
  'crawler.crawl_many',
  'crawler.crawl_url',
  'crawler.flush',
  'git.smart_commit',
  'git.status',
  'knowledge.bound',
  'knowledge.graph_stats',
  'knowledge.graph_stats#resource',
  'knowledge.recall',
  'memory.save_memory',
  'omniCell.nuShell',
  'researcher.git_repo_analyer',
]

/** The rows of that library: its skills, and their tools. */
export const LIBRARY_ROWS = [
  ...LIBRARY_TOOLS,
  ...new Set(LIBRARY_TOOLS.map(tool => tool.slice(0, tool.indexOf('.')))),
  'code',
  'embedding',
  'writer',
].sort()

/** The folders below a directory, to be put into a table. */
export function foldersIn(directory: string): FoldersToIndex {
  const folders = findSkillFolders(directory).skills.map(({ path, stamp, read }) => ({
    key: path,
    stamp,
    async read() {
      const { folder, diagnostics } = read()
      return { skill: await readSkill(folder), itemId: path, root: '.', seal: SEAL, diagnostics }
    },
  }))
  return { all: () => folders }
}

const SEAL = { digest: null, trust: { status: 'unsigned', signer: null } }

export async function scanLibrary(): Promise<SkillScan> {
  const tree = findSkillFolders(LIBRARY)
  return scanSkills(tree.folders())
}

export function makeFolder(
  name: string,
  files: Record<string, string | Uint8Array>,
  path = name,
): SkillFolder {
  const encoder = new TextEncoder()
  const entries = Object.entries(files).map(
    ([file, content]) => [file, typeof content === 'string' ? encoder.encode(content) : content] as const,
  )
  return { name, path, files: new Map(entries) }
}

/** A skill whose only script holds this text; what the scan says of it. */
export async function scanScript(script: string, skillMd = '---\nname: demo\ndescription: Demo\n---\n') {
  const scan = await scanSkills([makeFolder('demo', { 'SKILL.md': skillMd, 'scripts/a.py': script })])
  const tools = Object.values(scan.skills[0]!.payload.skill_tools).map(entry => entry.tool)
  return { tools, diagnostics: scan.diagnostics, schemas: tools.map(tool => JSON.parse(tool.input_schema)) }
}
