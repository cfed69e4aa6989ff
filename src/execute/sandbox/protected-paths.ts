// What a sandboxed tool must not read, or must not change: a table of paths in the home directory, the user
// space and the project. Paths that do not exist yet are listed too, because a tool could create them for the
// next reader. A sandbox does not show the home directory as a whole: its rows matter where a project, or a
// path that a tool may write to, lies around or in it.
import { type Absent, PLANTABLE, PROJECT_NAMES, SECRETS, STARTUP_FILES } from './protected-names.ts'

export interface ProtectedPath {
  readonly path: string
  readonly mode: 'hidden' | 'read-only'
  readonly absent: Absent
}

/** Where a user's things are. */
export interface UserPlaces {
  readonly home: string
  /**
   * Where programs keep their settings, and their data, if not in `.config` and `.local/share` of the home.
   */
  readonly configHome?: string | undefined
  readonly dataHome?: string | undefined
  /** Folders that programs obey, or are found in, because an environment variable names them. */
  readonly obeyed?: readonly string[] | undefined
}

export interface Places extends UserPlaces {
  /** The directory that holds the user's `.ai`. */
  readonly userSpace: string
  readonly projectPath: string
  /** Where this program and its dependencies are installed. */
  readonly packageRoot?: string | undefined
}

export function protectedPaths(places: Places): ProtectedPath[] {
  const { userSpace, projectPath, packageRoot } = places
  // The project's rows come first and the user's hidden ones last: where both name a path, hidden wins.
  return [
    ...(packageRoot === undefined ? [] : rows(outermostModules(packageRoot), [''], 'read-only', 'open')),
    ...PROJECT_NAMES.flatMap(([name, absent]) => rows(projectPath, [name], 'read-only', absent)),
    ...userRows(places, STARTUP_FILES, 'read-only', 'open'),
    ...userRows(places, SECRETS, 'hidden', 'open'),
    ...userRows(places, PLANTABLE, 'hidden', 'guard'),
    ...rows(userSpace, ['.ai'], 'read-only', 'guard'),
    ...rows(userSpace, ['.ai/config', '.ai/keys', '.ai/state', '.ai/trusted_keys'], 'hidden', 'guard'),
  ]
}

function userRows(
  { home, configHome, dataHome }: UserPlaces,
  names: readonly string[],
  mode: ProtectedPath['mode'],
  absent: Absent,
): ProtectedPath[] {
  const moved = (root: string | undefined, usual: string) =>
    root === undefined ? [] : rows(root, namesBelow(usual, names), mode, absent)
  return [
    ...rows(home, names, mode, absent),
    ...moved(configHome, '.config/'),
    ...moved(dataHome, '.local/share/'),
  ]
}

function namesBelow(folder: string, names: readonly string[]): string[] {
  return names.filter(name => name.startsWith(folder)).map(name => name.slice(folder.length))
}

/**
 * An installed package also runs what lies beside it: the outermost `node_modules`, or the package itself.
 */
function outermostModules(packageRoot: string): string {
  const [before, ...after] = packageRoot.split('/node_modules/')
  return after.length === 0 ? packageRoot : `${before}/node_modules`
}

function rows(
  root: string,
  names: readonly string[],
  mode: ProtectedPath['mode'],
  absent: Absent,
): ProtectedPath[] {
  const prefix = root.endsWith('/') ? root : `${root}/`
  return names.map(name => ({ path: name === '' ? root : prefix + name, mode, absent }))
}
