// Folders that are no project of an agent. Tools write in their project, so what no tool may change in a home, in another project or in a
// repository is closed together with the folder around it, and so is the system.
//
// A folder is known by what it is on the disk, and not by its name: links, bind mounts and the case of letters lead nowhere else.
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
  /** In words. */
  readonly what: string
}

interface Closing extends ClosedFolder {
  /** Folders in it, or around it, whose projects are projects all the same. */
  readonly open?: readonly string[]
  /** What is below is open. */
  readonly isAlone?: true
}

/** Clients put checkouts of their user's repositories there. */
const CHECKOUTS = [
  ...['.claude/worktrees', '.codex/worktrees', '.cursor/worktrees', '.windsurf/worktrees'],
  '.local/share/opencode/worktree',
]

const SYSTEM = [
  ...['/bin', '/boot', '/dev', '/efi', '/etc', '/lib', '/lib32', '/lib64', '/libx32', '/nix', '/opt'],
  ...['/proc', '/run', '/sbin', '/snap', '/sys', '/usr', '/var', '/Applications', '/Library', '/System'],
]
/** Temporary folders, mounted data, homes, and where images of containers and web servers have their projects. */
const PROJECTS_IN_SYSTEM = [
  ...['/dev/shm', '/var/tmp', '/var/folders', '/tmp', '/run/media', '/media', '/mnt', '/srv'],
  ...['/home', '/var/home', '/usr/home', '/usr/src', '/var/www'],
]
/** Around homes, or around the system. */
const AROUND = ['/', '/home', '/Users', '/private']

/** Obeyed when it is pushed. A repository may have the name `.github` itself. */
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

/** What a project lies in that is closed to agents, or is itself. It is a path without links, of a folder that exists. */
export function findClosedFolder(project: string, places: UserPlaces): ClosedFolder | undefined {
  const folders = foldersTo(project)
  return (
    closedByName(project) ??
    closedRepository(folders) ??
    closings(places, folders).find(closing => isClosed(closing, folders))
  )
}

/** Settings lie beside each other: the whole folder with a dot is closed. What is visible in a home is closed by its own name. */
function namesToClose(names: readonly string[]): string[] {
  return [...new Set(names.map(name => (name.startsWith('.') ? name.split('/')[0]! : name)))]
}

/** What any folder around the project closes, whether or not it is a project itself. */
function closedByName(project: string): ClosedFolder | undefined {
  const parts = project.split(sep)
  // The same names in any case, for disks that do not tell them apart.
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
  // Containers have their settings or caches in `/tmp` itself, among projects.
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

/** Programs run what was installed with them. A project may have programs of its own, which run what is in it. */
function installedBeside(folder: string, homes: readonly string[]): Closing[] {
  // Where conda is not active, its programs are found by another folder.
  const programs = folder.replace(/\/condabin$/, '/bin')
  const libraries = librariesBeside(programs, homes)
  if (isMarkedAsProject(dirname(programs))) return []
  return [...(programs === folder ? [] : [programs]), ...libraries].map(path => ({
    path,
    what: 'what programs run that a variable names',
    open: homes,
  }))
}

/** One look at the folder instead of one for each name. */
function namesThere(home: string): string[] {
  try {
    const there = new Set(readdirSync(home).map(name => name.toLowerCase()))
    return NAMES_OF_HOME.filter(name => there.has(name.split('/')[0]!.toLowerCase()))
  } catch {
    // It may be entered all the same.
    return NAMES_OF_HOME
  }
}

/** Of any user. */
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
