// The home directories of this machine, and what of them a tool needs to start programs: where version managers and installers of
// one user put them. Everything else in a home is not seen from a sandbox.
import { readdirSync } from 'node:fs'
import { userInfo } from 'node:os'
import { basename, delimiter, dirname, isAbsolute, normalize } from 'node:path'
import type { Mount } from './bubblewrap-arguments.ts'
import { INSTALLED } from './protected-names.ts'

/** What lies beside `bin` where something was installed. The rest of such a folder may be settings, tokens among them. */
const BESIDE_PROGRAMS = [
  ...[
    'lib',
    'lib64',
    'libexec',
    'share',
    'include',
    'etc',
    'versions',
    'envs',
    'conda-meta',
    'Cellar',
    'opt',
  ],
  'pyvenv.cfg',
]

/** Folders where many programs keep their things, credentials included. */
const SHARED_PREFIXES = new Set(['.local', '.cargo', '.config', '.cache'])

/** Existing or not, links not followed; each may be named twice. */
export function homeDirectories(home: string): string[] {
  return [home, '/root', '/home', ...ownHome()]
}

/** As the system knows it, whatever the environment says. */
export function ownHome(): string[] {
  try {
    return [userInfo().homedir].filter(isAbsolute)
  } catch {
    // The system has no entry for this user.
    return []
  }
}

/** What programs need that are found on a `PATH`; existing or not. */
export function installedPaths(homes: readonly string[], path: string): string[] {
  return [
    ...homes.flatMap(home => INSTALLED.map(name => `${home}/${name}`)),
    ...path
      .split(delimiter)
      .filter(isAbsolute)
      // A folder has many spellings: `/home/`, `/usr/../home`.
      .map(directory => normalize(`${directory}/`).slice(0, -1))
      .filter(directory => directory !== '' && !homes.some(home => `${home}/`.startsWith(`${directory}/`)))
      .flatMap(directory => [directory, ...librariesBeside(directory, homes)]),
  ]
}

/** `PREFIX/lib` and the like for `PREFIX/bin`. */
export function librariesBeside(directory: string, homes: readonly string[]): string[] {
  const prefix = dirname(directory)
  const isPrefix = /^(?:s?bin|shims)$/.test(basename(directory)) && !SHARED_PREFIXES.has(basename(prefix))
  if (!isPrefix || prefix === '/' || homes.includes(prefix) || dirname(prefix) === '/home') return []
  return BESIDE_PROGRAMS.map(name => `${prefix}/${name}`)
}

/** What lies in a home and is not a setting of some program: names without a leading dot. */
export function visibleEntries(home: string): Pick<Mount, 'path' | 'kind'>[] {
  // Other people's homes.
  if (home === '/home') return []
  return readdirSync(home, { withFileTypes: true })
    .filter(entry => !entry.name.startsWith('.') && (entry.isDirectory() || entry.isFile()))
    .map(entry => ({ path: `${home}/${entry.name}`, kind: entry.isDirectory() ? 'directory' : 'file' }))
}
