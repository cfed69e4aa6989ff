// Where the three spaces are, from the environment and the project that a caller names.
import { existsSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { AppError, quoteText } from '../base/index.ts'
import { type ItemRoot, itemRoots } from '../scan/index.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Where the user and the package keep their items; known before there is a library. */
export interface SpacePaths {
  readonly environment: Environment
  /** The folder that holds the user's `.ai/`. */
  readonly userSpace: string
  readonly systemRoot: string
}

/** The folder that holds the user's `.ai/`: `USER_SPACE`, or the home directory. */
export function userSpaceOf(environment: Environment): string {
  const given = environment.USER_SPACE
  const home = homeOf(environment)
  if (!given) return home
  return resolve(given.replace(/^~(?=\/|$)/, home))
}

export function homeOf(environment: Environment): string {
  return environment.HOME || homedir()
}

/** The `.ai/` folder of this package: two levels up from the source, one from the built file. */
export function systemRootOf(): string {
  for (const up of ['../system/.ai', '../../system/.ai']) {
    const path = join(import.meta.filename, '..', up)
    if (existsSync(path)) return path
  }
  throw new Error('unreachable: the package has lost its system/.ai folder')
}

/** All folders of items that a project sees, or those that projects share. */
export function rootsOf(
  { environment, userSpace, systemRoot }: SpacePaths,
  projectPath: string | undefined,
): readonly ItemRoot[] {
  return itemRoots({ projectPath, userSpace, home: homeOf(environment), systemRoot })
}

/** The folder for files that can be made again: `XDG_CACHE_HOME/rye`, or `~/.cache/rye`. */
export function cacheRootOf(environment: Environment): string {
  const given = environment.XDG_CACHE_HOME
  return join(given && isAbsolute(given) ? given : join(homeOf(environment), '.cache'), 'rye')
}

/** The project's real path, or `PROJECT_NOT_FOUND`. */
export function checkProject(projectPath: string): string {
  const shown = quoteText(projectPath, 200)
  const hint = 'give the absolute path of an existing directory'
  if (!isAbsolute(projectPath) || projectPath.includes('\0')) {
    throw new AppError('PROJECT_NOT_FOUND', `expected an absolute project path, got ${shown}`, { hint })
  }
  try {
    if (statSync(projectPath).isDirectory()) return realpathSync.native(projectPath)
  } catch (cause) {
    throw new AppError('PROJECT_NOT_FOUND', `no directory at project path ${shown}`, { hint, cause })
  }
  throw new AppError('PROJECT_NOT_FOUND', `expected a directory at project path ${shown}, got a file`, {
    hint,
  })
}
