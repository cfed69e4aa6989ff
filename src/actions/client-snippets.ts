// How each client is told of the server: which file, and what to put into it. Merging keeps everything else in the file.
import { AppError, isRecord } from '../base/index.ts'

export const CLIENTS = ['claude', 'cursor', 'vscode', 'codex'] as const
export type Client = (typeof CLIENTS)[number]

export interface ServerCommand {
  readonly command: string
  readonly args: readonly string[]
}

interface ClientFile {
  readonly title: string
  /** Below the project. */
  readonly file: string
  /** The key that holds servers; null for TOML. */
  readonly key: string | null
}

const FILES: Record<Client, ClientFile> = {
  claude: { title: 'Claude Code', file: '.mcp.json', key: 'mcpServers' },
  cursor: { title: 'Cursor', file: '.cursor/mcp.json', key: 'mcpServers' },
  vscode: { title: 'VS Code', file: '.vscode/mcp.json', key: 'servers' },
  codex: { title: 'Codex', file: '.codex/config.toml', key: null },
}

/** What a person would paste. */
export function clientSnippet(
  client: Client,
  server: ServerCommand,
): { name: string; file: string; snippet: string } {
  const { title, file, key } = FILES[client]
  return {
    name: title,
    file,
    snippet: key === null ? tomlTable(server) : printJson({ [key]: { rye: entry(client, server) } }),
  }
}

/** The file with our server in it; everything else stays. Throws when the file is not what it should be. */
export function mergeClientFile(client: Client, existing: string | undefined, server: ServerCommand): string {
  const { file, key } = FILES[client]
  if (key === null) {
    if (existing === undefined) return tomlTable(server)
    if (/^\s*\[mcp_servers\.rye\]/m.test(existing)) return existing
    return `${existing.trimEnd()}\n\n${tomlTable(server)}`
  }
  const settings = existing === undefined || existing.trim() === '' ? {} : parse(file, existing)
  const servers = settings[key] ?? {}
  if (!isRecord(servers))
    throw new AppError('CONFIG_INVALID', `expected an object at \`${key}\` in \`${file}\``)
  return printJson({ ...settings, [key]: { ...servers, rye: entry(client, server) } })
}

function entry(client: Client, server: ServerCommand): object {
  return { ...(client === 'vscode' && { type: 'stdio' }), command: server.command, args: [...server.args] }
}

function tomlTable(server: ServerCommand): string {
  const args = server.args.map(arg => JSON.stringify(arg)).join(', ')
  return `[mcp_servers.rye]\ncommand = ${JSON.stringify(server.command)}\nargs = [${args}]\n`
}

function printJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

function parse(file: string, text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (isRecord(value)) return value
  } catch (cause) {
    throw new AppError('CONFIG_INVALID', `\`${file}\` is not JSON: ${(cause as Error).message}`, {
      hint: 'mend it, or paste the snippet yourself',
      cause,
    })
  }
  throw new AppError('CONFIG_INVALID', `expected an object in \`${file}\``)
}
