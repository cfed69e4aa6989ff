// What a sandboxed tool must not read, or must not change: a table of paths in the home directory, the user space and the project.
// Paths that do not exist yet are listed too, because a tool could create them for the next reader.

export interface ProtectedPath {
  readonly path: string
  readonly mode: 'hidden' | 'read-only'
  /**
   * What to do if it does not exist: `open` does nothing; `guard` keeps it from being created, if its parent exists;
   * `guard-only` does the same, and does nothing about a directory that exists.
   */
  readonly absent: 'open' | 'guard' | 'guard-only'
}

export interface Places {
  readonly home: string
  /** The directory that holds the user's `.ai`. */
  readonly userSpace: string
  readonly projectPath: string
}

// Creating one of these makes other programs run commands or trust unknown keys.
const PLANTABLE = ['.ssh', '.aws', '.gnupg']

const SECRETS = [
  '.config/gh',
  '.config/hub',
  '.config/gcloud',
  '.config/rclone',
  '.config/op',
  '.config/1Password',
  '.config/doctl',
  '.config/git/credentials',
  '.config/google-chrome',
  '.config/chromium',
  '.config/BraveSoftware',
  '.mozilla',
  '.azure',
  '.kube',
  '.docker',
  '.oci',
  '.terraform.d',
  '.vault-token',
  '.password-store',
  '.local/share/keyrings',
  '.netrc',
  '.npmrc',
  '.yarnrc.yml',
  '.pypirc',
  '.pgpass',
  '.my.cnf',
  '.git-credentials',
  '.cargo/credentials',
  '.cargo/credentials.toml',
  '.gem/credentials',
  '.m2/settings.xml',
  '.gradle/gradle.properties',
  '.claude.json',
  '.claude/.credentials.json',
  '.claude/projects',
  '.codex/auth.json',
  '.gemini/oauth_creds.json',
  '.bash_history',
  '.zsh_history',
  '.python_history',
  '.node_repl_history',
  '.psql_history',
  '.mysql_history',
]

const STARTUP_FILES = ['.bashrc', '.bash_profile', '.profile', '.zshrc', '.zshenv', '.zprofile', '.gitconfig']

export function protectedPaths(places: Places): ProtectedPath[] {
  const { home, userSpace, projectPath } = places
  // The project's rows come first and the user's hidden ones last: where both name a path, hidden wins.
  return [
    ...rows(projectPath, ['.git'], 'read-only', 'guard-only'),
    ...rows(projectPath, ['.git/hooks', '.ai/config', '.ai/state'], 'read-only', 'guard'),
    ...rows(projectPath, ['.git/config'], 'read-only', 'open'),
    ...rows(home, STARTUP_FILES, 'read-only', 'open'),
    ...rows(home, SECRETS, 'hidden', 'open'),
    ...rows(home, PLANTABLE, 'hidden', 'guard'),
    ...rows(userSpace, ['.ai'], 'hidden', 'guard-only'),
    ...rows(userSpace, ['.ai/config', '.ai/keys', '.ai/state'], 'hidden', 'guard'),
  ]
}

function rows(
  root: string,
  names: readonly string[],
  mode: ProtectedPath['mode'],
  absent: ProtectedPath['absent'],
): ProtectedPath[] {
  const prefix = root.endsWith('/') ? root : `${root}/`
  return names.map(name => ({ path: prefix + name, mode, absent }))
}
