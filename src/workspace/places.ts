// Where the three spaces are, derived from the environment and the project that a caller names.
import { existsSync, realpathSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { AppError, absoluteFolders, quoteText } from '../base/index.ts'
import { type ItemRoot, itemRoots } from '../scan/index.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Where the user and the package keep their items; known before there is a library. */
export interface SpacePaths {
  readonly environment: Environment
  /** The folder that holds the user's `.ai/`. */
  readonly userSpace: string
  readonly systemRoot: string
}

export function spacePathsOf(environment: Environment): SpacePaths {
  return { environment, userSpace: userSpaceOf(environment), systemRoot: systemRootOf() }
}

/**
 * The folder that holds the user's `.ai/`: `USER_SPACE`, or the home directory. Throws `CONFIG_INVALID` when
 * it is not absolute: a relative one would be another folder in each directory, and somebody else's project
 * could decide whom the user trusts.
 */
export function userSpaceOf(environment: Environment): string {
  const given = environment.USER_SPACE
  if (!given) return homeOf(environment)
  const path = /^~(?:\/|$)/.test(given) ? join(homeOf(environment), given.slice(1)) : given
  return checkAbsolute('USER_SPACE', path)
}

/** `HOME`, or the home directory known to the system. Throws `CONFIG_INVALID`. */
export function homeOf(environment: Environment): string {
  return environment.HOME ? checkAbsolute('HOME', environment.HOME) : systemHome()
}

function checkAbsolute(variable: string, path: string): string {
  if (isAbsolute(path)) return resolve(path)
  throw new AppError(
    'CONFIG_INVALID',
    `\`${variable}\`: expected an absolute path, got ${quoteText(path, 200)}`,
    {
      hint: `set ${variable} to the absolute path of a folder of yours`,
    },
  )
}

/** Does not use `homedir`, which reads the environment of the process rather than the caller's. */
function systemHome(): string {
  try {
    const { homedir } = userInfo()
    if (isAbsolute(homedir)) return homedir
  } catch {
    // The system has no entry for this user.
  }
  throw new AppError('CONFIG_INVALID', 'the home directory of this user is not known', {
    hint: 'set HOME to its absolute path',
  })
}

/** The `.ai/` folder of this package: two levels up from the source, one from the built file. */
export function systemRootOf(): string {
  for (const up of ['../system/.ai', '../../system/.ai']) {
    const path = join(import.meta.filename, '..', up)
    if (existsSync(path)) return path
  }
  throw new AppError('FILE_UNREADABLE', 'rye is damaged: its folder `system/.ai` is missing', {
    hint: 'install it again',
  })
}

/** All item folders that a project sees. Without a project, those that projects share. */
export function rootsOf(
  { environment, userSpace, systemRoot }: SpacePaths,
  projectPath: string | undefined,
): readonly ItemRoot[] {
  return itemRoots({ projectPath, userSpace, home: homeOf(environment), systemRoot })
}

/** The folder for files that can be made again: `XDG_CACHE_HOME/rye`, or `~/.cache/rye`. */
export function cacheRootOf(environment: Environment): string {
  return join(absoluteOf(environment.XDG_CACHE_HOME) ?? join(homeOf(environment), '.cache'), 'rye')
}

/** The home directory, and where the user's programs keep settings and data outside it. */
export function userPlacesOf(environment: Environment) {
  return {
    home: homeOf(environment),
    configHome: absoluteOf(environment.XDG_CONFIG_HOME),
    dataHome: absoluteOf(environment.XDG_DATA_HOME),
    obeyed: [
      ...OBEYED.flatMap(name => absoluteOf(environment[name]) ?? []),
      ...absoluteFolders(environment.PATH ?? environment.Path ?? ''),
    ],
  }
}

/** Each names a folder of settings, keys or programs. */
const OBEYED = [
  ...['XDG_STATE_HOME', 'XDG_CACHE_HOME', 'ZDOTDIR', 'GNUPGHOME', 'DOCKER_CONFIG', 'CLAUDE_CONFIG_DIR'],
  ...['CODEX_HOME', 'CARGO_HOME', 'RUSTUP_HOME', 'PNPM_HOME', 'BUN_INSTALL', 'NVM_DIR', 'PYENV_ROOT'],
]

/** Relative folders are ignored, as the specification of these variables says. */
function absoluteOf(path: string | undefined): string | undefined {
  return path && isAbsolute(path) ? path : undefined
}

/** Whether a path is in a folder, or is that folder. Both must have links resolved. */
export function isInside(path: string, folder: string): boolean {
  const below = relative(folder, path)
  return below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below)
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
