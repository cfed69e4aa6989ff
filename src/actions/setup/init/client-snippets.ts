// How each client is told of the server: which file, and what to put into it. Merging keeps everything else in the file.
import { AppError, firstLineOf, isRecord } from '../../../base/index.ts'
import type { Program } from '../../definition/action.ts'

export const CLIENTS = ['claude', 'cursor', 'vscode', 'codex'] as const
export type Client = (typeof CLIENTS)[number]

export type ServerCommand = Required<Program>

export interface ClientSnippet {
  readonly name: string
  /** Below the project. */
  readonly file: string
  /** What a person would paste into it. */
  readonly snippet: string
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

export function clientSnippet(client: Client, server: ServerCommand): ClientSnippet {
  const { title, file, key } = FILES[client]
  return {
    name: title,
    file,
    snippet: key === null ? tomlTable(server) : printJson({ [key]: { rye: entry(client, server) } }),
  }
}

/** The file with our server added. All else stays, also an entry `rye` that is already there. Throws if the file cannot be parsed. */
export async function mergeClientFile(
  client: Client,
  existing: string | undefined,
  server: ServerCommand,
): Promise<string> {
  const { file, key } = FILES[client]
  if (key === null) return mergeToml(file, existing, server)
  const settings = existing === undefined || existing.trim() === '' ? {} : parseJson(file, existing)
  const servers = settings[key] ?? {}
  if (!isRecord(servers)) throw invalid(`expected an object at \`${key}\` in \`${file}\``)
  if (existing !== undefined && Object.hasOwn(servers, 'rye')) return existing
  return printJson({ ...settings, [key]: { ...servers, rye: entry(client, server) } })
}

/** A table can be appended to any document that does not hold it, unless its parent is written inline. */
async function mergeToml(file: string, existing: string | undefined, server: ServerCommand): Promise<string> {
  if (existing === undefined) return tomlTable(server)
  const servers = (await parseToml(file, existing)).mcp_servers
  if (isRecord(servers) && Object.hasOwn(servers, 'rye')) return existing
  const merged = `${existing.trimEnd()}\n\n${tomlTable(server)}`
  await parseToml(file, merged)
  return merged
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

function parseJson(file: string, text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (isRecord(value)) return value
  } catch (cause) {
    throw invalid(`\`${file}\` is not JSON: ${(cause as Error).message}`, cause)
  }
  throw invalid(`expected an object in \`${file}\``)
}

async function parseToml(file: string, text: string): Promise<Record<string, unknown>> {
  const { parse } = await import('smol-toml')
  try {
    return parse(text)
  } catch (cause) {
    throw invalid(`cannot add our table to \`${file}\`: ${firstLineOf(cause)}`, cause)
  }
}

function invalid(message: string, cause?: unknown): AppError {
  return new AppError('CONFIG_INVALID', message, { hint: 'fix it, or paste the snippet yourself', cause })
}
