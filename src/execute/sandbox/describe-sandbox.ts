// Describes the sandbox of one run. Only the project and what was granted can be written to, and of a home
// only what the run needs can be seen. What belongs to this program is never writable, wherever a project
// lies.
import { mkdirSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Plan } from '../../plan/index.ts'
import { isInside, type Sandbox } from './bubblewrap-arguments.ts'
import { bareRepositoryPaths, gitPaths, linkedRepository } from './git-paths.ts'
import { homeDirectories, installedPaths, librariesBeside, visibleEntries } from './home-paths.ts'
import type { MountPoint } from './mount-point.ts'
import { MountTable } from './mount-table.ts'
import { examine, protectPaths } from './protect-paths.ts'
import { FOUND_IN_HOME } from './protected-names.ts'
import { protectedPaths, type UserPlaces } from './protected-paths.ts'

/** What is the same for all runs of a server. */
export interface MachinePlaces extends UserPlaces {
  /** The directory that holds the user's `.ai`. */
  readonly userSpace: string
  /** Where this program and its items are installed. */
  readonly packageRoot?: string | undefined
  /** Directories of this program that no tool sees, except its own private copy: the cache, the state. */
  readonly ownDirectories?: readonly string[] | undefined
  /** Paths that every tool needs. */
  readonly readable: readonly string[]
}

export interface SandboxRequest {
  readonly command: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly projectPath: string
  readonly permissions: Plan['permissions']
  /** Folders of this program that the run may write to. */
  readonly caches?: readonly string[] | undefined
  /** Paths that the run does not see, unless its project is there. */
  readonly hidden?: readonly string[] | undefined
  /** Paths that must be visible for this run. */
  readonly readable: readonly string[]
}

const PRIVATE = ['/tmp', '/var/tmp', '/run']

/** Whatever is made on disk for the sandbox is added to `mountPoints`. */
export function describeSandbox(
  request: SandboxRequest,
  places: MachinePlaces,
  mountPoints: MountPoint[],
): Sandbox {
  const projectPath = realpathSync(request.projectPath)
  // A tool may add items there, but must not decide what `.ai` is.
  createDirectory(`${projectPath}/.ai`)
  const named = homeDirectories(places.home)
  // Some accounts have a device, such as `/dev/null`, as their home: it holds nothing to hide.
  const homes = realPaths(named).filter(path => path !== '/' && examine(path)?.kind === 'directory')
  const table = new MountTable()
  for (const path of [...privateDirectories(), ...homes]) table.add(path, 'private')
  const hidden = realPaths(request.hidden ?? []).filter(path => !isAtOrIn(path, projectPath))
  // A path that a tool names itself must not open anything that is hidden from it.
  const isHidden = (path: string) =>
    !isAtOrIn(path, projectPath) && hidden.some(folder => isAtOrIn(path, folder))
  for (const path of realPaths([projectPath, ...request.permissions.write])) {
    if (!belongsToProgram(path, places) && !isHidden(path)) table.add(path, 'writable', examine(path)!.kind)
  }
  for (const home of homes) if (table.accessAt(home) === 'writable') closeHome(home, request.env, table)
  for (const path of realPaths(places.ownDirectories ?? []))
    if (!table.isCovered(path)) table.add(path, 'hidden')
  for (const path of hidden) if (!table.isCovered(path)) table.add(path, 'hidden', examine(path)!.kind)
  for (const path of realPaths(request.caches ?? [])) table.add(path, 'writable')
  const chosen = realPaths([request.cwd, ...linkedRepository(request.projectPath)])
  for (const path of [...neededPaths(request, places, homes), ...chosen.filter(path => !isHidden(path))]) {
    const found = examine(path)
    if (found && table.isCovered(found.path) && !table.has(found.path))
      table.add(found.path, 'read-only', found.kind)
  }
  const paths = [
    ...gitPaths(projectPath),
    ...bareRepositoryPaths(projectPath),
    ...protectedPaths({ ...places, projectPath }),
  ]
  protectPaths(paths, table, mountPoints)
  return {
    mounts: table.list(),
    links: homeLinks(named, table),
    cwd: request.cwd,
  }
}

export function privateDirectories(): string[] {
  return PRIVATE.filter(path => examine(path)?.path === path)
}

/**
 * Whether a path belongs to this program. A project may be or lie in one of these folders; the tool then sees
 * no more of them than it would from elsewhere.
 */
function belongsToProgram(
  path: string,
  { packageRoot, ownDirectories = [], userSpace }: MachinePlaces,
): boolean {
  const own = [join(userSpace, '.ai'), ...ownDirectories, ...(packageRoot === undefined ? [] : [packageRoot])]
  return realPaths(own).some(directory => directory === path || isInside(path, directory))
}

// For a home that is the project. Programs read their settings from names with a dot, present or absent, so
// the home itself cannot be written to. Everything else in it belongs to the project, except where programs
// are found. A home inside a project is not visible at all.
function closeHome(home: string, env: SandboxRequest['env'], table: MountTable): void {
  table.add(home, 'hidden')
  for (const { path, kind } of visibleEntries(home)) if (!table.has(path)) table.add(path, 'writable', kind)
  for (const name of FOUND_IN_HOME) {
    const found = examine(`${home}/${name}`)
    if (found?.path === `${home}/${name}`) table.add(found.path, 'read-only', found.kind)
  }
  for (const path of realPaths(installedPaths([home], env.PATH ?? ''))) {
    if (table.accessAt(path) === 'writable') table.add(path, 'read-only', examine(path)!.kind)
  }
}

function neededPaths(request: SandboxRequest, places: MachinePlaces, homes: readonly string[]): string[] {
  const commands = [request.command, ...realPaths([request.command])]
  return [
    ...places.readable,
    ...(places.packageRoot === undefined ? [] : [places.packageRoot]),
    ...request.readable,
    ...commands.flatMap(command => [command, ...librariesBeside(dirname(command), homes)]),
    ...installedPaths(homes, request.env.PATH ?? ''),
  ]
}

/** Links to make again, because a home may be named by a link in a directory that is not visible. */
function homeLinks(named: readonly string[], table: MountTable): Sandbox['links'] {
  return named.flatMap(home => {
    const target = examine(home)?.path
    const parent = examine(dirname(home))?.path
    if (target === undefined || parent === undefined) return []
    const path = join(parent, basename(home))
    return path !== target && table.accessAt(path) === 'private' ? [{ path, target }] : []
  })
}

function isAtOrIn(path: string, folder: string): boolean {
  return path === folder || isInside(path, folder)
}

/** The real paths of those that exist, each once. */
function realPaths(paths: readonly string[]): string[] {
  return [...new Set(paths.flatMap(path => examine(path)?.path ?? []))]
}

function createDirectory(path: string): void {
  try {
    mkdirSync(path)
  } catch {
    // It exists, or neither we nor a tool can write here.
  }
}
