// Skill folders below a directory: the topmost folders that hold a SKILL.md, in capitals or not, each read when it is reached.
import type { WalkedFile } from '../../scan/index.ts'
import type { SkillDiagnostic, SkillFolder } from '../read/records.ts'
import { isMainFile, SKILL_FILE } from '../read/structure.ts'
import { readSkillFolder } from './read-skill-folder.ts'
import { SKILL_LIMITS, type SkillLimits, walkDirectory, warningAt } from './walk-directory.ts'

export interface SkillTree {
  /** The same as long as no file below the directory is touched; undefined while that is uncertain. */
  readonly stamp: string | undefined
  /** Sorted by path. */
  folders(): Generator<SkillFolder>
  readonly count: number
  /** Complete once the folders have been read. */
  readonly diagnostics: readonly SkillDiagnostic[]
}

/** Throws `INVALID_INPUT` when there is no such directory. */
export function findSkillFolders(directory: string, limits: SkillLimits = SKILL_LIMITS): SkillTree {
  const listing = walkDirectory(directory, limits)
  const { files, stamp, diagnostics } = listing
  const skills = groupBySkill(files)
  for (const path of foldersWithoutSkill(files, skills)) {
    const message = `\`${path}\` has scripts, but no \`${SKILL_FILE}\``
    diagnostics.push(warningAt(`${path}/${SKILL_FILE}`, 'skill-structure', message))
  }
  return {
    stamp,
    count: skills.size,
    diagnostics,
    *folders() {
      const sorted = [...skills].sort(([a], [b]) => (a < b ? -1 : 1))
      for (const [path, own] of sorted) yield readSkillFolder(listing, { path, files: own, limits })
    },
  }
}

/** Files by the folder of their skill; `.` is the directory itself. */
function groupBySkill(files: readonly WalkedFile[]): Map<string, WalkedFile[]> {
  const skillFolders = new Set(
    files.filter(({ path }) => isMainFile(nameIn(path))).map(({ path }) => folderIn(path)),
  )
  const groups = new Map<string, WalkedFile[]>()
  for (const file of files) {
    const folder = topmostSkill(file.path, skillFolders)
    if (folder === undefined) continue
    const own = groups.get(folder)
    if (own) own.push(file)
    else groups.set(folder, [file])
  }
  return groups
}

function topmostSkill(path: string, skillFolders: ReadonlySet<string>): string | undefined {
  if (skillFolders.has('.')) return '.'
  for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) {
    if (skillFolders.has(path.slice(0, slash))) return path.slice(0, slash)
  }
  return undefined
}

/** Folders directly below the directory that have scripts like a skill, but no SKILL.md. */
function foldersWithoutSkill(
  files: readonly WalkedFile[],
  skills: ReadonlyMap<string, unknown>,
): Set<string> {
  const found = new Set<string>()
  for (const { path } of files) {
    const [folder, next] = path.split('/', 2)
    if (next === 'scripts' && path.endsWith('.py') && !skills.has('.') && !skills.has(folder!))
      found.add(folder!)
  }
  return found
}

function nameIn(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function folderIn(path: string): string {
  const slash = path.lastIndexOf('/')
  return slash === -1 ? '.' : path.slice(0, slash)
}
