// Where each client keeps its list of servers, and the form of an entry. `docs/cookbook/connect-a-client.md`
// names the sources.
import { isAbsolute, join } from 'node:path'
import type { JsonValue } from '../../../base/index.ts'
import type { ServerCommand } from './server-command.ts'

export interface ClientFile {
  readonly title: string
  /**
   * `project`: below the project, so that the file travels with it. `user`: below the home directory, for
   * clients without a project file.
   */
  readonly scope: 'project' | 'user'
  /** Relative to the project, or absolute. */
  path(settings: SettingsPlaces): string
  /** Other places where the file may be; the first one that exists is used. */
  readonly others?: readonly string[]
  /** The keys that lead to our entry; null for TOML. */
  readonly keys: readonly [string, ...string[]] | null
  entry(server: ServerCommand): JsonValue
}

export interface SettingsPlaces {
  readonly home: string
  readonly platform: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

const plain = ({ command, args }: ServerCommand): JsonValue => ({ command, args: [...args] })

export const CLIENT_FILES = {
  claude: projectFile('Claude Code', '.mcp.json', ['mcpServers', 'rye']),
  'claude-desktop': {
    title: 'Claude Desktop',
    scope: 'user',
    path: places => join(applicationFolder(places), 'Claude', 'claude_desktop_config.json'),
    keys: ['mcpServers', 'rye'],
    entry: plain,
  },
  cursor: projectFile('Cursor', '.cursor/mcp.json', ['mcpServers', 'rye']),
  vscode: projectFile('VS Code', '.vscode/mcp.json', ['servers', 'rye'], ({ command, args }) => ({
    type: 'stdio',
    command,
    args: [...args],
  })),
  codex: projectFile('Codex', '.codex/config.toml', null),
  gemini: projectFile('Gemini CLI', '.gemini/settings.json', ['mcpServers', 'rye']),
  windsurf: {
    title: 'Windsurf',
    scope: 'user',
    path: ({ home }) => join(home, '.codeium', 'windsurf', 'mcp_config.json'),
    keys: ['mcpServers', 'rye'],
    entry: plain,
  },
  zed: projectFile('Zed', '.zed/settings.json', ['context_servers', 'rye']),
  opencode: {
    ...projectFile('opencode', 'opencode.json', ['mcp', 'rye'], ({ command, args }) => ({
      type: 'local',
      command: [command, ...args],
      enabled: true,
    })),
    others: ['opencode.jsonc', '.opencode/opencode.json', '.opencode/opencode.jsonc'],
  },
} as const satisfies Readonly<Record<string, ClientFile>>

export type Client = keyof typeof CLIENT_FILES

// The keys of this object literal are exactly those of its type.
export const CLIENTS = Object.keys(CLIENT_FILES) as readonly Client[]

function projectFile(
  title: string,
  path: string,
  keys: ClientFile['keys'],
  entry: ClientFile['entry'] = plain,
): ClientFile {
  return { title, scope: 'project', path: () => path, keys, entry }
}

/** The folder where applications keep a user's settings. */
function applicationFolder({ home, platform, environment }: SettingsPlaces): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support')
  const given = platform === 'win32' ? environment.APPDATA : environment.XDG_CONFIG_HOME
  if (given && isAbsolute(given)) return given
  return platform === 'win32' ? join(home, 'AppData', 'Roaming') : join(home, '.config')
}
