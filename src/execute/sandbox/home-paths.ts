// The home directories of this machine, and what a tool needs of them to start programs: where a user's
// version managers and installers put them. Nothing else in a home can be seen from a sandbox.
import { readdirSync } from 'node:fs'
import { userInfo } from 'node:os'
import { basename, delimiter, dirname, isAbsolute, normalize } from 'node:path'
import type { Mount } from './bubblewrap-arguments.ts'
import { INSTALLED } from './protected-names.ts'

/** What an installation has beside `bin`. The rest of such a folder may be settings, including tokens. */
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

/** Whether or not they exist, links not followed. The same one may be named twice. */
export function homeDirectories(home: string): string[] {
  return [home, '/root', '/home', ...ownHome()]
}

/** The home as the system knows it, whatever the environment says. */
export function ownHome(): string[] {
  try {
    return [userInfo().homedir].filter(isAbsolute)
  } catch {
    // The system has no entry for this user.
    return []
  }
}

/** What programs found on a `PATH` need, whether or not it exists. */
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

/** The entries of a home that are not some program's settings: names without a leading dot. */
export function visibleEntries(home: string): Pick<Mount, 'path' | 'kind'>[] {
  // This one holds other people's homes.
  if (home === '/home') return []
  return readdirSync(home, { withFileTypes: true })
    .filter(entry => !entry.name.startsWith('.') && (entry.isDirectory() || entry.isFile()))
    .map(entry => ({ path: `${home}/${entry.name}`, kind: entry.isDirectory() ? 'directory' : 'file' }))
}
