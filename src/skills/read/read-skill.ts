// One skill folder, by itself. Whatever is wrong with it is told in its diagnostics: there is always an answer, and it
// depends on this folder alone.
import type { JsonObject } from '../../base/index.ts'
import { readFrontMatter } from './documents/front-matter.ts'
import { type ReadReference, readReference } from './documents/read-reference.ts'
import { emptyMetadata, readSkillMetadata } from './documents/skill-metadata.ts'
import { compareText, createFileReport } from './file-report.ts'
import type { DocsAvailable, SkillDiagnostic, SkillFolder, SkillMetadata, SnifferRule } from './records.ts'
import { findDocs, findMissing, readSnifferRules, SKILL_FILE, SNIFFER_FILE } from './structure.ts'
import { type DeclaredTool, readTools } from './tools/read-tools.ts'

export interface ReadSkill {
  readonly name: string
  /** From the scanned root. */
  readonly path: string
  readonly metadata: SkillMetadata
  /** Front matter as written. */
  readonly frontMatter: JsonObject
  readonly body: string
  /** By file and line; commands before resources. */
  readonly tools: readonly DeclaredTool[]
  /** Documents of `references/` itself first, then those of its folders. */
  readonly references: readonly ReadReference[]
  readonly snifferRules: readonly SnifferRule[]
  readonly docs: DocsAvailable
  readonly diagnostics: readonly SkillDiagnostic[]
}

/** Never throws for what a file holds. */
export async function readSkill(folder: SkillFolder): Promise<ReadSkill> {
  const diagnostics: SkillDiagnostic[] = []
  const reportOn = (path: string) => createFileReport(pathIn(folder, path), diagnostics)
  for (const { path, description } of findMissing(folder))
    reportOn(path).error('skill-structure', `expected \`${path}\` (${description}), got none`)

  const main = await readMain(folder, reportOn(SKILL_FILE))
  const tools: DeclaredTool[] = []
  const references: ReadReference[] = []
  for (const [path, bytes] of sortedFiles(folder)) {
    const filePath = pathIn(folder, path)
    if (/^scripts\/.*\.py$/.test(path))
      tools.push(...(await readTools({ metadata: main.metadata, filePath, bytes }, reportOn(path))))
    else if (/^references\/.*\.md$/.test(path)) {
      const read = await readReference({ skillName: folder.name, path, filePath, bytes }, reportOn(path))
      if (read) references.push(read)
    }
  }
  const rules = folder.files.get(SNIFFER_FILE)
  return {
    ...main,
    name: folder.name,
    path: folder.path,
    tools: [
      ...tools.filter(tool => tool.kind === 'command'),
      ...tools.filter(tool => tool.kind === 'resource'),
    ],
    references,
    snifferRules: rules ? await readSnifferRules(rules, reportOn(SNIFFER_FILE)) : [],
    docs: findDocs(folder),
    diagnostics,
  }
}

async function readMain(
  folder: SkillFolder,
  report: ReturnType<typeof createFileReport>,
): Promise<Pick<ReadSkill, 'metadata' | 'frontMatter' | 'body'>> {
  const bytes = folder.files.get(SKILL_FILE)
  const matter = bytes && (await readFrontMatter(bytes, report))
  if (!matter) return { metadata: emptyMetadata(folder.name), frontMatter: {}, body: '' }
  return {
    metadata: readSkillMetadata(folder.name, matter, report),
    frontMatter: matter.data,
    body: matter.body,
  }
}

/** From the scanned root to a file of a skill. */
export function pathIn(folder: Pick<SkillFolder, 'path'>, path: string): string {
  return folder.path === '.' ? path : `${folder.path}/${path}`
}

function sortedFiles(folder: SkillFolder): [string, Uint8Array][] {
  const read = [...folder.files].filter((entry): entry is [string, Uint8Array] => entry[1] !== undefined)
  return read.sort(([a], [b]) => depthOf(a) - depthOf(b) || compareText(a, b))
}

function depthOf(path: string): number {
  return path.split('/').length
}
