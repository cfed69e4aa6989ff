// What a sandboxed tool must not read, or must not change: a table of paths in the home directory, the user space and the project.
// Paths that do not exist yet are listed too, because a tool could create them for the next reader. The home directory as a whole
// is not seen from a sandbox: its rows matter where a project, or what a tool may write to, lies around or in it.
import type { FileGuard } from './guarded-file.ts'

export interface ProtectedPath {
  readonly path: string
  readonly mode: 'hidden' | 'read-only'
  /**
   * What to do if it does not exist: `open` does nothing; `guard` keeps it from being created; `guard-only` does the same, and
   * does nothing about a directory that exists. A text is a guard for a file that other programs read: meanwhile they find this in it.
   * A socket is a guard that other programs pass over.
   */
  readonly absent: 'open' | 'guard' | 'guard-only' | FileGuard
}

export interface Places {
  readonly home: string
  /** The directory that holds the user's `.ai`. */
  readonly userSpace: string
  readonly projectPath: string
  /** Where this program and what it imports lie. */
  readonly packageRoot?: string | undefined
}

// Creating one of these makes other programs run commands or trust unknown keys.
const PLANTABLE = [
  '.ssh',
  '.aws',
  '.gnupg',
  '.config/autostart',
  '.config/systemd',
  '.config/environment.d',
  '.config/fish',
  '.config/git',
  '.config/nvim',
  '.config/Code',
  '.local/bin',
  '.local/share/applications',
  '.local/share/systemd',
  '.vscode-server',
  '.cursor',
  '.codex',
  '.gemini',
]

const SECRETS = [
  '.config/gh',
  '.config/hub',
  '.config/gcloud',
  '.config/rclone',
  '.config/op',
  '.config/1Password',
  '.config/doctl',
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
  '.bash_history',
  '.zsh_history',
  '.python_history',
  '.node_repl_history',
  '.psql_history',
  '.mysql_history',
]

const STARTUP_FILES = ['.bashrc', '.bash_profile', '.profile', '.zshrc', '.zshenv', '.zprofile', '.gitconfig']

/** Editors and agents run what these name when the project is next opened. */
const PROJECT_STARTUP: readonly [string, ProtectedPath['absent']][] = [
  ['.vscode', 'guard'],
  ['.claude/settings.json', { text: '{}\n' }],
  ['.claude/settings.local.json', { text: '{}\n' }],
  ['.cursor', 'open'],
  ['.mcp.json', 'open'],
  ['.codex', 'open'],
  ['.gemini', 'open'],
  ['.zed', 'open'],
  ['opencode.json', 'open'],
  ['opencode.jsonc', 'open'],
  ['.opencode', 'open'],
  ['.windsurf', 'open'],
  ['.kiro', 'open'],
  ['.roo', 'open'],
  ['.idea', 'open'],
  ['.helix', 'open'],
  ['.devcontainer', 'open'],
  ['.devcontainer.json', 'open'],
  ['.amazonq', 'open'],
  ['.qwen', 'open'],
  ['.trae', 'open'],
  ['.crush.json', 'open'],
  ['crush.json', 'open'],
  ['.exrc', 'open'],
  ['.nvimrc', 'open'],
  ['.nvim.lua', 'open'],
  ['.envrc', 'open'],
  ['.pre-commit-config.yaml', 'open'],
  ['.husky', 'open'],
  ['.githooks', 'open'],
]

export function protectedPaths(places: Places): ProtectedPath[] {
  const { home, userSpace, projectPath, packageRoot } = places
  // The project's rows come first and the user's hidden ones last: where both name a path, hidden wins.
  return [
    ...(packageRoot === undefined ? [] : rows(outermostModules(packageRoot), [''], 'read-only', 'open')),
    ...rows(projectPath, ['.git'], 'read-only', 'guard-only'),
    ...rows(projectPath, ['.ai/config'], 'read-only', 'guard'),
    // Where items come from, and who signed them before. One that is planted where none was is reviewed like a stranger's.
    ...rows(projectPath, ['.ai/rye.lock'], 'read-only', 'open'),
    ...PROJECT_STARTUP.flatMap(([name, absent]) => rows(projectPath, [name], 'read-only', absent)),
    ...rows(home, STARTUP_FILES, 'read-only', 'open'),
    ...rows(home, SECRETS, 'hidden', 'open'),
    ...rows(home, PLANTABLE, 'hidden', 'guard'),
    ...rows(userSpace, ['.ai'], 'read-only', 'guard'),
    ...rows(userSpace, ['.ai/config', '.ai/keys', '.ai/state', '.ai/trusted_keys'], 'hidden', 'guard'),
  ]
}

/** An installed package runs what lies beside it as well: the outermost `node_modules`, or the package itself. */
function outermostModules(packageRoot: string): string {
  const [before, ...after] = packageRoot.split('/node_modules/')
  return after.length === 0 ? packageRoot : `${before}/node_modules`
}

function rows(
  root: string,
  names: readonly string[],
  mode: ProtectedPath['mode'],
  absent: ProtectedPath['absent'],
): ProtectedPath[] {
  const prefix = root.endsWith('/') ? root : `${root}/`
  return names.map(name => ({ path: name === '' ? root : prefix + name, mode, absent }))
}
