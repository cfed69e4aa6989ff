// What each client is told of the server: which file, and what to put into it. Everything else in the file stays.
import { AppError, firstLineOf, isRecord, type JsonValue } from '../../../base/index.ts'
import { CLIENT_FILES, type Client, type ClientFile } from './client-files.ts'
import { addMember } from './edit-json.ts'
import type { ServerCommand } from './server-command.ts'

export interface ClientSnippet {
  /** As `--client` takes it. */
  readonly client: Client
  readonly name: string
  /** Below the project, or an absolute path in the user's home. */
  readonly file: string
  /** What a person would paste into it. */
  readonly snippet: string
}

/** What a person would paste into an empty file. */
export function printSnippet(client: Client, server: ServerCommand): string {
  const { keys, entry }: ClientFile = CLIENT_FILES[client]
  if (keys === null) return tomlTable(server)
  const value = keys.reduceRight<JsonValue>((inner, key) => ({ [key]: inner }), entry(server))
  return `${JSON.stringify(value, null, 2)}\n`
}

/** The file with our server added; undefined when it has an entry `rye`. Throws `CONFIG_INVALID` when the file cannot be edited. */
export async function addServer(
  client: Client,
  file: { readonly name: string; readonly text: string | undefined },
  server: ServerCommand,
): Promise<string | undefined> {
  const { keys, entry }: ClientFile = CLIENT_FILES[client]
  if (file.text === undefined) return printSnippet(client, server)
  if (keys === null) return addTable(file.name, file.text, server)
  const edited = addMember(file.text, keys, entry(server))
  if ('problem' in edited) throw invalid(`cannot add our server to \`${file.name}\`: ${edited.problem}`)
  return 'text' in edited ? edited.text : undefined
}

/** A table can be appended to any document that does not hold it, unless its parent is written inline. */
async function addTable(file: string, text: string, server: ServerCommand): Promise<string | undefined> {
  const servers = (await parseToml(file, text)).mcp_servers
  if (isRecord(servers) && Object.hasOwn(servers, 'rye')) return undefined
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  const gap = text === '' || /\n\r?\n$/.test(text) ? '' : /\n$/.test(text) ? newline : newline + newline
  const added = text + gap + tomlTable(server).replaceAll('\n', newline)
  await parseToml(file, added)
  return added
}

function tomlTable(server: ServerCommand): string {
  const args = server.args.map(arg => JSON.stringify(arg)).join(', ')
  return `[mcp_servers.rye]\ncommand = ${JSON.stringify(server.command)}\nargs = [${args}]\n`
}

async function parseToml(file: string, text: string): Promise<Record<string, unknown>> {
  const { parse } = await import('smol-toml')
  try {
    return parse(text)
  } catch (cause) {
    throw invalid(`cannot add our server to \`${file}\`: ${firstLineOf(cause)}`, cause)
  }
}

function invalid(message: string, cause?: unknown): AppError {
  return new AppError('CONFIG_INVALID', message, { hint: 'fix it, or paste the snippet yourself', cause })
}
