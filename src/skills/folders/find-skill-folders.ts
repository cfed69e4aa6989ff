// Finds the skill folders below a directory: the topmost folders with a SKILL.md, in any case. Each is read
// when it is reached.
import { lazy } from '../../base/index.ts'
import { isSettled, stampFiles } from '../../files/index.ts'
import type { WalkedFile } from '../../scan/index.ts'
import type { SkillDiagnostic, SkillFolder } from '../read/records.ts'
import { isMainFile, SKILL_FILE } from '../read/structure.ts'
import { readSkillFolder } from './read-skill-folder.ts'
import {
  type DirectoryListing,
  SKILL_LIMITS,
  type SkillLimits,
  walkDirectory,
  warningAt,
} from './walk-directory.ts'

export interface FoundSkill {
  /** From the directory; `.` is the directory itself. */
  readonly path: string
  /** Stays the same as long as no file of the folder is touched. Undefined while that is uncertain. */
  stamp(): string | undefined
  /** Reads it, and says what could not be read. */
  read(): { readonly folder: SkillFolder; readonly diagnostics: readonly SkillDiagnostic[] }
}

export interface SkillTree {
  /** The directory as an absolute path. */
  readonly root: string
  /** Sorted by path. */
  readonly skills: readonly FoundSkill[]
  /** All skill folders, read one after the other. */
  folders(): Generator<SkillFolder>
  readonly count: number
  /** Complete once the folders have been read. */
  readonly diagnostics: readonly SkillDiagnostic[]
  /** Diagnostics of entries named SKILL.md that are not readable files: their folders are not skills. */
  readonly unusable: readonly SkillDiagnostic[]
}

/** Codes of limits. Walking a part of a directory would not hit them in the same way as walking all of it. */
export const LIMITED: ReadonlySet<string> = new Set(['too-many', 'too-deep'])

/** Whether the diagnostic is about a part that was not looked at and may hold skills. */
export function isUnseen({ code }: SkillDiagnostic): boolean {
  return code === 'unreadable' || LIMITED.has(code)
}

/** Throws `INVALID_INPUT` when there is no such directory. */
export function findSkillFolders(directory: string, limits: SkillLimits = SKILL_LIMITS): SkillTree {
  const listing = walkDirectory(directory, limits)
  const { root, files, diagnostics } = listing
  const found = groupBySkill(files)
  const unusable = unusableMainFiles(listing, new Set(found.keys()))
  for (const path of foldersWithoutSkill(files, found)) {
    const message = `\`${path}\` has scripts, but no \`${SKILL_FILE}\``
    diagnostics.push(warningAt(`${path}/${SKILL_FILE}`, 'skill-structure', message))
  }
  const skippedIn = groupDiagnostics(diagnostics, found)
  const sorted = [...found].sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    root,
    count: found.size,
    diagnostics,
    unusable,
    skills: sorted.map(([path, own]) =>
      foundSkill(path, {
        limits,
        listing: () => ({ ...listing, files: own }),
        skipped: () => skippedIn.get(path) ?? [],
      }),
    ),
    *folders() {
      for (const [path, own] of sorted) yield readSkillFolder(listing, { path, files: own, limits })
    },
  }
}

/** Also adds diagnostics for folders with such a name, which a walk enters without reporting them. */
function unusableMainFiles(
  { folders, diagnostics }: DirectoryListing,
  skills: ReadonlySet<string>,
): SkillDiagnostic[] {
  const isMain = (path: string) => isMainFile(nameIn(path)) && topmostSkill(path, skills) === undefined
  const skipped = diagnostics.filter(({ path, code }) => isMain(path) && !LIMITED.has(code))
  const entered = folders.filter(isMain).map(path => {
    const message = `expected a file, got a folder with this name; without the file, \`${folderIn(path)}\` is not a skill`
    return warningAt(path, 'skill-structure', message)
  })
  diagnostics.push(...entered)
  // A folder may have several that differ in case. The one spelled correctly is reported.
  const byFolder = new Map<string, SkillDiagnostic>()
  for (const one of [...skipped, ...entered]) {
    const folder = folderIn(one.path)
    if (!byFolder.has(folder) || nameIn(one.path) === SKILL_FILE) byFolder.set(folder, one)
  }
  return [...byFolder.values()]
}

/** The skill at a path below a directory that is known to hold one. It is walked only when needed. */
export function findSkill(
  root: string,
  path: string,
): FoundSkill & { skipped(): readonly SkillDiagnostic[] } {
  const listing = lazy(() => walkDirectory(root, SKILL_LIMITS, path))
  const skipped = () => listing().diagnostics
  return { ...foundSkill(path, { limits: SKILL_LIMITS, listing, skipped }), skipped }
}

interface SkillFiles {
  readonly limits: SkillLimits
  /** Has only the skill's own files. */
  listing(): DirectoryListing
  /** What was left out. Part of the stamp, since a link that becomes a file changes the skill. */
  skipped(): readonly SkillDiagnostic[]
}

function foundSkill(path: string, { limits, listing, skipped }: SkillFiles): FoundSkill {
  return {
    path,
    stamp: lazy(() => {
      const { files, startedAt } = listing()
      const left = skipped().map(one => `${one.code} ${one.path}`)
      return files.every(file => isSettled(file, startedAt)) ? stampFiles([path, left], files) : undefined
    }),
    read() {
      const said: SkillDiagnostic[] = []
      const { files } = listing()
      return {
        folder: readSkillFolder({ ...listing(), diagnostics: said }, { path, files, limits }),
        diagnostics: said,
      }
    },
  }
}

function groupDiagnostics(
  diagnostics: readonly SkillDiagnostic[],
  skills: ReadonlyMap<string, unknown>,
): Map<string, SkillDiagnostic[]> {
  const groups = new Map<string, SkillDiagnostic[]>()
  const folders = new Set(skills.keys())
  for (const one of diagnostics) {
    const folder = topmostSkill(one.path, folders)
    if (folder !== undefined) groups.set(folder, [...(groups.get(folder) ?? []), one])
  }
  return groups
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

/** The topmost of the skills at these paths that holds a file. */
export function topmostSkill(path: string, skillFolders: ReadonlySet<string>): string | undefined {
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
