// Which folders an agent may not name as its project. Tools write in their project, so whatever no tool may
// change in a home, in another project or in a repository is closed together with the folder around it, and
// so is the system.
//
// Folders are compared by what they are on disk, not by name: links, bind mounts and the case of letters
// cannot get around this.
import { type BigIntStats, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { isNameOfGit, isRepository } from './git-paths.ts'
import { librariesBeside, ownHome } from './home-paths.ts'
import { isMarkedAsProject } from './project-mark.ts'
import {
  FOUND_IN_HOME,
  INSTALLED,
  LEFT_TO_PERSONS,
  PLANTABLE,
  PROJECT_NAMES,
  SECRETS,
  STARTUP_FILES,
} from './protected-names.ts'
import type { UserPlaces } from './protected-paths.ts'

export interface ClosedFolder {
  readonly path: string
  /** What it is, in words. */
  readonly what: string
}

interface Closing extends ClosedFolder {
  /** Folders in it or around it that may hold projects nevertheless. */
  readonly open?: readonly string[]
  /** Set when only the folder itself is closed, not what is below it. */
  readonly isAlone?: true
}

/** Where clients put checkouts of their user's repositories. */
const CHECKOUTS = [
  ...['.claude/worktrees', '.codex/worktrees', '.cursor/worktrees', '.windsurf/worktrees'],
  '.local/share/opencode/worktree',
]

const SYSTEM = [
  ...['/bin', '/boot', '/dev', '/efi', '/etc', '/lib', '/lib32', '/lib64', '/libx32', '/nix', '/opt'],
  ...['/proc', '/run', '/sbin', '/snap', '/sys', '/usr', '/var', '/Applications', '/Library', '/System'],
]
/**
 * Folders in the system that may hold projects: temporary folders, mounted data, homes, and where images of
 * containers and web servers keep projects.
 */
const PROJECTS_IN_SYSTEM = [
  ...['/dev/shm', '/var/tmp', '/var/folders', '/tmp', '/run/media', '/media', '/mnt', '/srv'],
  ...['/home', '/var/home', '/usr/home', '/usr/src', '/var/www'],
]
/** Folders around homes or around the system. */
const AROUND = ['/', '/home', '/Users', '/private']

/** Obeyed once it is pushed. Only this part is closed, because a repository may itself be named `.github`. */
const WORKFLOWS = '.github/workflows'

const NAMES_OF_HOME = namesToClose([
  ...STARTUP_FILES,
  ...SECRETS,
  ...PLANTABLE,
  ...INSTALLED,
  ...LEFT_TO_PERSONS,
  ...FOUND_IN_HOME,
  '.ai',
])
const NAMES_OF_PROJECT = [...namesToClose(PROJECT_NAMES.map(([name]) => name)), WORKFLOWS]

/**
 * The closed folder that a project is or lies in. `project` is the path of an existing folder, without links.
 */
export function findClosedFolder(project: string, places: UserPlaces): ClosedFolder | undefined {
  const folders = foldersTo(project)
  return (
    closedByName(project) ??
    closedRepository(folders) ??
    closings(places, folders).find(closing => isClosed(closing, folders))
  )
}

/**
 * Settings lie beside each other, so a folder with a dot is closed as a whole. A name without a dot is closed
 * as it stands.
 */
function namesToClose(names: readonly string[]): string[] {
  return [...new Set(names.map(name => (name.startsWith('.') ? name.split('/')[0]! : name)))]
}

/** Closes these names in every folder around the project, whether or not that folder is a project itself. */
function closedByName(project: string): ClosedFolder | undefined {
  const parts = project.split(sep)
  // Upper and lower case count as the same, for disks that do not tell them apart.
  const lower = parts.map(part => part.toLowerCase())
  const startsAt = (index: number, name: string) =>
    name.split('/').every((part, offset) => lower[index + offset] === part)
  for (let index = 1; index < parts.length; index++) {
    const name = NAMES_OF_PROJECT.find(closed => startsAt(index, closed))
    if (name === undefined || CHECKOUTS.some(open => startsAt(index, open))) continue
    const path = parts.slice(0, index + name.split('/').length).join(sep)
    return { path, what: 'what git, editors or agents obey' }
  }
  return undefined
}

/** A worktree may lie in a bare repository, beside what git keeps there. */
function closedRepository(folders: readonly Folder[]): ClosedFolder | undefined {
  const found = folders.find(
    ({ path }, index) => (index === 0 || isNameOfGit(nameOf(folders[index - 1]!))) && isRepository(path),
  )
  return found && { path: found.path, what: 'what git keeps of a repository' }
}

function closings(places: UserPlaces, folders: readonly Folder[]): Closing[] {
  const homes = [...new Set([places.home, ...ownHome(), ...homesAround(folders)])]
  const moved = [places.configHome, places.dataHome].filter(path => path !== undefined)
  // Containers keep settings or caches in `/tmp` itself, among projects.
  const shared = [...PROJECTS_IN_SYSTEM, ...homes]
  return [
    ...homes.flatMap(closingsOfHome),
    ...moved.map(path => ({
      path,
      what: 'settings of programs',
      open: [...shared, join(path, 'opencode/worktree')],
    })),
    ...(places.obeyed ?? []).flatMap(folder => [
      { path: folder, what: 'settings, keys or programs that a variable names', open: shared },
      ...installedBeside(folder, homes),
    ]),
    ...SYSTEM.map(path => ({ path, what: 'the system', open: shared })),
    ...AROUND.map(path => ({ path, what: 'a folder around homes or the system', isAlone: true as const })),
  ]
}

function closingsOfHome(home: string): Closing[] {
  const open = CHECKOUTS.map(name => join(home, name))
  const names = namesThere(home)
  const around = names.map(name => dirname(name)).filter(name => name !== '.')
  return [
    { path: home, what: 'a home directory', isAlone: true },
    ...names.map(name => ({
      path: join(home, name),
      what: 'settings, keys or programs of a user',
      open,
    })),
    ...around.map(name => ({
      path: join(home, name),
      what: 'a folder around programs of a user',
      isAlone: true as const,
    })),
  ]
}

/**
 * Programs run what was installed with them, so that is closed, too. A project may have its own programs,
 * which run what is in the project.
 */
function installedBeside(folder: string, homes: readonly string[]): Closing[] {
  // Where conda is not active, `PATH` has `condabin`, and its programs are in `bin` beside it.
  const programs = folder.replace(/\/condabin$/, '/bin')
  const libraries = librariesBeside(programs, homes)
  if (isMarkedAsProject(dirname(programs))) return []
  return [...(programs === folder ? [] : [programs]), ...libraries].map(path => ({
    path,
    what: 'what programs run that a variable names',
    open: homes,
  }))
}

/** Lists the folder once instead of looking up each name. */
function namesThere(home: string): string[] {
  try {
    const there = new Set(readdirSync(home).map(name => name.toLowerCase()))
    return NAMES_OF_HOME.filter(name => there.has(name.split('/')[0]!.toLowerCase()))
  } catch {
    // A folder that cannot be listed may still be entered.
    return NAMES_OF_HOME
  }
}

/** The home of any user. */
const HOME = /^(?:(?:\/var|\/usr)?\/home\/[^/]+|\/Users\/[^/]+|\/root|\/var\/roothome)$/

function homesAround(folders: readonly Folder[]): string[] {
  return folders.map(({ path }) => path).filter(path => HOME.test(path))
}

function isClosed({ path, open = [], isAlone }: Closing, folders: readonly Folder[]): boolean {
  const depth = depthOf(path, folders)
  if (isAlone) return depth === 0
  return depth !== -1 && !open.some(one => isWithin(depthOf(one, folders), depth))
}

function isWithin(depth: number, closed: number): boolean {
  return depth !== -1 && depth <= closed
}

interface Folder {
  readonly path: string
  readonly stat: BigIntStats | undefined
}

/** The project first, then the folders around it. */
function foldersTo(path: string): Folder[] {
  const folder = { path, stat: statOf(path) }
  return dirname(path) === path ? [folder] : [folder, ...foldersTo(dirname(path))]
}

/** How many folders up from the project a folder is; -1 if it is not around it. */
function depthOf(path: string, folders: readonly Folder[]): number {
  const stat = statOf(path)
  if (stat === undefined) return -1
  return folders.findIndex(folder => folder.stat?.dev === stat.dev && folder.stat.ino === stat.ino)
}

function statOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false })
  } catch {
    // Not ours to look at.
    return undefined
  }
}

function nameOf({ path }: Folder): string {
  return basename(path).toLowerCase()
}
