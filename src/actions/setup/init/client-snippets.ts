// The settings file of each client, and what to add to it. Everything else in the file stays.
import { AppError, firstLineOf, type JsonValue } from '../../../base/index.ts'
import { CLIENT_FILES, type Client, type ClientFile } from './client-files.ts'
import { addMember } from './edit-json.ts'
import { addTomlServer, tomlTable } from './edit-toml.ts'
import type { ServerCommand } from './server-command.ts'

export interface ClientSnippet {
  /** The name that `--client` takes. */
  readonly client: Client
  readonly name: string
  /** Relative to the project, or an absolute path in the user's home. */
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

/**
 * Returns the file with our server added; undefined when it already has an entry `rye`. Throws
 * `CONFIG_INVALID` when the file cannot be edited.
 */
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

async function addTable(file: string, text: string, server: ServerCommand): Promise<string | undefined> {
  try {
    return await addTomlServer(text, server)
  } catch (cause) {
    throw invalid(`cannot add our server to \`${file}\`: ${firstLineOf(cause)}`, cause)
  }
}

function invalid(message: string, cause?: unknown): AppError {
  return new AppError('CONFIG_INVALID', message, { hint: 'fix it, or paste the snippet yourself', cause })
}
