// The names of what no tool may read or change, in a home directory and in a project. This one table serves
// the sandbox, which covers them (`protected-paths.ts`), and agents, which may not name a folder among them
// as their project (`closed-folders.ts`).
import type { FileGuard } from './guarded-file.ts'

/**
 * What to do if a path does not exist: `open` does nothing; `guard` keeps it from being created; `guard-only`
 * does the same, but leaves a directory that exists alone. A text guards a file that other programs read:
 * they find this text in it meanwhile. A socket is a guard that other programs skip.
 */
export type Absent = 'open' | 'guard' | 'guard-only' | FileGuard

// Creating one of these makes other programs run commands or trust unknown keys.
export const PLANTABLE = [
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

export const SECRETS = [
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
  '.config/microsoft-edge',
  '.config/vivaldi',
  '.mozilla',
  '.thunderbird',
  '.var/app',
  'snap/firefox',
  'snap/chromium',
  'snap/thunderbird',
  'Library/Application Support',
  'Library/Containers',
  'Library/Cookies',
  'Library/Group Containers',
  'Library/Keychains',
  'Library/Mail',
  'Library/Messages',
  'Library/Preferences',
  'Library/Safari',
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

/** What shells, editors and sessions run when they start. */
export const STARTUP_FILES = [
  '.bashrc',
  '.bashrc.d',
  '.bash_profile',
  '.bash_login',
  '.bash_logout',
  '.bash_completion.d',
  '.profile',
  '.zshrc',
  '.zshenv',
  '.zprofile',
  '.zlogin',
  '.zsh',
  '.oh-my-zsh',
  '.inputrc',
  '.pam_environment',
  '.xprofile',
  '.xinitrc',
  '.xsession',
  '.gitconfig',
  '.vimrc',
  '.vim',
  '.emacs.d',
  '.tmux.conf',
  '.tmux',
  'Library/LaunchAgents',
]

/** Programs and their libraries; none of these holds a credential. */
export const INSTALLED = [
  '.pyenv',
  '.rbenv',
  '.nvm/versions',
  '.asdf',
  '.volta',
  '.bun/bin',
  '.deno/bin',
  '.cargo/bin',
  '.rustup/toolchains',
  '.rustup/settings.toml',
  '.sdkman/candidates',
  '.local/bin',
  '.local/lib',
  '.local/pipx/venvs',
  '.local/share/pipx/venvs',
  '.local/share/uv/python',
  '.local/share/uv/tools',
  '.local/share/mise/installs',
  '.local/share/mise/shims',
  '.local/share/fnm',
  '.local/share/pnpm',
  '.local/share/virtualenvs',
  'go/bin',
]

/**
 * Tokens, extensions and caches. A person may let tools have them, so a sandbox decides by its settings. No
 * agent may have its project there.
 */
export const LEFT_TO_PERSONS = [
  ...[
    '.anthropic',
    '.ansible',
    '.boto',
    '.databrickscfg',
    '.fly',
    '.helm',
    '.heroku',
    '.huggingface',
    '.kaggle',
  ],
  ...['.minikube', '.pki', '.pulumi', '.railway', '.s3cfg', '.step', '.terraformrc', '.vercel'],
  ...[
    '.agents',
    '.codeium',
    '.continue',
    '.copilot',
    '.cursor-server',
    '.vscode-insiders',
    '.windsurf-server',
  ],
  ...[
    '.android',
    '.cabal',
    '.composer',
    '.ghcup',
    '.ipython',
    '.ivy2',
    '.julia',
    '.jupyter',
    '.krew',
    '.nix-defexpr',
  ],
  ...['.npm-global', '.nuget', '.opam', '.sbt', '.cache', '.npm', '.yarn', '.pnpm-store'],
]

/** Found there by shells, by Node in every folder below, and by git. */
export const FOUND_IN_HOME = ['bin', 'node_modules', '.git']

/**
 * Where items come from and who signed them before, what git runs, and what editors and agents run when the
 * project is next opened.
 */
export const PROJECT_NAMES: readonly (readonly [string, Absent])[] = [
  ['.git', 'guard-only'],
  ['.ai/config', 'guard'],
  // A lock planted where there was none is reviewed like a stranger's.
  ['.ai/rye.lock', 'open'],
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
