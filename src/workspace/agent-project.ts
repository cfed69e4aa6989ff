// Which folders an agent may name as its project. Tools write in their project, so it must not contain what
// the user's trust rests on: keys and settings, this program, its caches, or files that a shell or another
// program of the user obeys. Nor may it lie inside one of these, or in the parts of a home, a project, a
// repository or the system that tools may not change.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AppError, quoteText } from '../base/index.ts'
import { findClosedFolder, findProjectAround } from '../execute/index.ts'
import { realPath } from '../scan/index.ts'
import { cacheRootOf, homeOf, isInside, type SpacePaths, userPlacesOf } from './places.ts'
import { findProjectBelow } from './projects-below.ts'

interface OwnPlace {
  readonly what: string
  readonly path: string
  /** Projects may lie inside it, as in a home directory. */
  readonly hasProjects?: true
}

/** Calls come in bursts, so a folder that was just checked is not checked again for this long. */
const KNOWN_MS = 1000

/**
 * Returns a check that throws `POLICY_DENIED` when a folder may not be the project; its path must have links
 * resolved. `chosen` is a folder that a person named, which may contain other projects and such settings.
 */
export function guardProjects(paths: SpacePaths, chosen: string | undefined): (projectPath: string) => void {
  const own = chosen === undefined ? undefined : realPath(chosen)
  let known = { path: '', at: 0 }
  return path => {
    const at = performance.now()
    if (path === known.path && at - known.at < KNOWN_MS) return
    refuseOwnPlaces(paths, path)
    if (path !== own) refuseAround(paths, path)
    known = { path, at }
  }
}

function refuseAround({ environment }: SpacePaths, projectPath: string): void {
  if (findProjectAround(projectPath, realPath(homeOf(environment))) !== undefined) return
  const below = findProjectBelow(projectPath)
  if (below !== undefined)
    throw refusal(
      projectPath,
      `is not a project, but contains one, ${quoteText(below, 200)}`,
      `name that folder instead; ${INIT}`,
    )
  const obeyed = userPlacesOf(environment).obeyed.find(
    path => isInside(nearestRealPath(path), projectPath) && !isOfProject(path),
  )
  if (obeyed === undefined) return
  const what = 'settings, keys or programs that a variable names'
  throw refusal(
    projectPath,
    `is not a project, and contains ${what}, ${quoteText(obeyed, 200)}`,
    `give a folder of its own; ${INIT}`,
  )
}

/**
 * Folders that npm, npx and Python environments put on the `PATH` belong to the folder where somebody works,
 * whether it is a project or not.
 */
function isOfProject(programs: string): boolean {
  return programs.endsWith(join('node_modules', '.bin')) || existsSync(join(dirname(programs), 'pyvenv.cfg'))
}

const INIT = 'a person can make this one a project with `rye init`'

function refuseOwnPlaces(paths: SpacePaths, projectPath: string): void {
  for (const { what, path, hasProjects } of ownPlaces(paths)) {
    const real = nearestRealPath(path)
    const holds = isInside(real, projectPath)
    if (!holds && (hasProjects || !isInside(projectPath, real))) continue
    throw refusal(projectPath, `${holds ? 'holds' : 'lies in'} ${what}, \`${path}\``)
  }
  const closed = findClosedFolder(projectPath, userPlacesOf(paths.environment))
  if (closed === undefined) return
  const { what, path } = closed
  throw refusal(projectPath, `${path === projectPath ? 'is' : 'lies in'} ${what}, \`${path}\``)
}

function refusal(
  projectPath: string,
  why: string,
  hint = 'give a folder of its own; a person can work here with the command `rye`',
): AppError {
  return new AppError(
    'POLICY_DENIED',
    `${quoteText(projectPath, 200)} cannot be the project of an agent: it ${why}`,
    { hint },
  )
}

function ownPlaces({ environment, userSpace, systemRoot }: SpacePaths): OwnPlace[] {
  return [
    { what: 'the home directory', path: homeOf(environment), hasProjects: true },
    { what: 'the user space', path: join(userSpace, '.ai') },
    { what: 'this program', path: dirname(dirname(systemRoot)) },
    { what: 'the cache', path: cacheRootOf(environment) },
  ]
}

/** The path with links resolved, even if the end of it does not exist yet. */
function nearestRealPath(path: string): string {
  const above = dirname(path)
  if (existsSync(path) || above === path) return realPath(path)
  return join(nearestRealPath(above), path.slice(above.length))
}
