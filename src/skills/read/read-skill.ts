// Reads one skill folder. Anything wrong with it becomes a diagnostic: there is always a result, and it
// depends only on this folder.
import { AppError, sha256Hex } from '../../base/index.ts'
import { digestSkill } from '../../trust/index.ts'
import { type Compliance, findLicenses } from './compliance.ts'
import { readFrontMatter } from './documents/front-matter.ts'
import { type ReadReference, readReference } from './documents/read-reference.ts'
import { emptyMetadata, readSkillMetadata } from './documents/skill-metadata.ts'
import { compareText, createFileReport, type FileReport } from './file-report.ts'
import type {
  DocsAvailable,
  SkillDiagnostic,
  SkillFolder,
  SkillMetadata,
  SkillStructure,
  SnifferRule,
} from './records.ts'
import { readSnifferRules, SNIFFER_FILE } from './sniffer-rules.ts'
import { findDocs, findMissing, findStructure, mainFileOf, reportMainFile } from './structure.ts'
import { type DeclaredTool, readTools } from './tools/read-tools.ts'

export interface ReadSkill {
  readonly name: string
  /** From the scanned root. */
  readonly path: string
  readonly metadata: SkillMetadata
  /** Whether there is front matter. Without it, the metadata comes from the text and the folder's name. */
  readonly hasMatter: boolean
  /** The name of its SKILL.md. */
  readonly main: string
  /** SHA-256 of its SKILL.md; empty when there is none. */
  readonly mainHash: string
  /** Commands before resources, each by file and line. */
  readonly tools: readonly DeclaredTool[]
  /** Those directly in `references/` first, then those in its subfolders. */
  readonly references: readonly ReadReference[]
  readonly snifferRules: readonly SnifferRule[]
  readonly docs: DocsAvailable
  /** The parts of the usual layout that it has. */
  readonly structure: SkillStructure
  readonly compliance: Compliance
  readonly diagnostics: readonly SkillDiagnostic[]
}

/** Never throws because of a file's content. */
export async function readSkill(folder: SkillFolder): Promise<ReadSkill> {
  const diagnostics: SkillDiagnostic[] = []
  const reportOn = (path: string) => createFileReport(pathIn(folder, path), diagnostics)
  for (const { path, description } of findMissing(folder))
    reportOn(path).error('skill-structure', `expected \`${path}\` (${description}), got none`)

  reportMainFile(folder, reportOn)
  reportNames(folder, reportOn)
  const main = mainFileOf(folder)
  const { metadata, hasMatter } = await readMetadata(folder, main, reportOn(main))
  const tools: DeclaredTool[] = []
  const references: ReadReference[] = []
  for (const [path, bytes] of sortedFiles(folder)) {
    const filePath = pathIn(folder, path)
    if (/^scripts\/.*\.py$/.test(path))
      tools.push(...(await readTools({ metadata, filePath, bytes }, reportOn(path))))
    else if (/^references\/.*\.md$/.test(path)) {
      const read = await readReference({ skillName: folder.name, path, filePath, bytes }, reportOn(path))
      if (read) references.push(read)
    }
  }
  const rules = folder.files.get(SNIFFER_FILE)
  const mainBytes = folder.files.get(main)
  return {
    name: folder.name,
    path: folder.path,
    metadata,
    hasMatter,
    main,
    mainHash: mainBytes ? sha256Hex(mainBytes) : '',
    tools: [
      ...tools.filter(tool => tool.kind === 'command'),
      ...tools.filter(tool => tool.kind === 'resource'),
    ],
    references,
    snifferRules: rules ? await readSnifferRules(rules, reportOn(SNIFFER_FILE)) : [],
    docs: findDocs(folder),
    structure: findStructure(folder),
    compliance: findLicenses(folder, metadata.license),
    diagnostics,
  }
}

/** Reports file names that keep a folder from being signed and so from being loaded, by `digestSkill`. */
function reportNames({ files }: SkillFolder, reportOn: (path: string) => FileReport): void {
  const faultOf = (paths: Iterable<string>): string | undefined => {
    try {
      digestSkill(new Map([...paths].map(path => [path, ''])))
      return undefined
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown
      return thrown.message
    }
  }
  if (faultOf(files.keys()) === undefined) return
  for (const path of files.keys()) {
    const fault = faultOf([path])
    if (fault !== undefined) reportOn(path).error('file-name', `${fault}; rename it`)
  }
}

async function readMetadata(folder: SkillFolder, main: string, report: FileReport) {
  const bytes = folder.files.get(main)
  const matter = bytes && (await readFrontMatter(bytes, report))
  const metadata = matter ? readSkillMetadata(folder.name, matter, report) : emptyMetadata(folder.name)
  return { metadata, hasMatter: matter?.isPresent === true }
}

/** The path of a skill's file, from the scanned root. */
export function pathIn(folder: Pick<SkillFolder, 'path'>, path: string): string {
  return folder.path === '.' ? path : `${folder.path}/${path}`
}

/** The inverse of `pathIn`: the path of a file from its skill's folder. */
export function pathFrom(folder: Pick<SkillFolder, 'path'>, path: string): string {
  return folder.path === '.' ? path : path.slice(folder.path.length + 1)
}

function sortedFiles(folder: SkillFolder): [string, Uint8Array][] {
  const read = [...folder.files].filter((entry): entry is [string, Uint8Array] => entry[1] !== undefined)
  return read.sort(([a], [b]) => depthOf(a) - depthOf(b) || compareText(a, b))
}

function depthOf(path: string): number {
  return path.split('/').length
}
