// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders of clients and of server items
// Reads servers from a client's own settings: `.mcp.json`, `claude_desktop_config.json`, `.codex/config.toml`
// and similar files. Pure. A value that looks like a secret is not copied: its item names a variable instead,
// and a note says which.
import { AppError, flattenText, isRecord } from '../../base/index.ts'
import { parseCommentedJson } from './commented-json.ts'
import type { ServerInput } from './describe-server.ts'
import { looksSecret } from './looks-secret.ts'

export interface ListedServer {
  readonly name: string
  readonly input: ServerInput
  /** What the person must know about this server. */
  readonly notes: readonly string[]
}

export interface ClientFile {
  readonly servers: readonly ListedServer[]
  readonly skipped: readonly { readonly name: string; readonly reason: string }[]
}

/**
 * Reads JSON with comments, or TOML if the name ends in `.toml`. Throws `INVALID_INPUT` with the file's
 * `name` if it is not such a file.
 */
export async function readClientFile(text: string, name: string): Promise<ClientFile> {
  return /\.toml$/i.test(name) ? listServers(await parseToml(text, name), name) : readClientJson(text, name)
}

export function readClientJson(text: string, name: string): ClientFile {
  return listServers(parseCommentedJson(text, name), name)
}

async function parseToml(text: string, name: string): Promise<unknown> {
  const { parse } = await import('smol-toml')
  try {
    return parse(text)
  } catch (cause) {
    const [reason] = (cause as Error).message.split('\n')
    throw new AppError('INVALID_INPUT', `\`${name}\`: expected TOML: ${flattenText(reason ?? '')}`, { cause })
  }
}

function listServers(settings: unknown, name: string): ClientFile {
  const listed = findServers(settings)
  if (listed === undefined) {
    throw new AppError(
      'INVALID_INPUT',
      `\`${name}\`: expected a file with \`mcpServers\`, \`servers\`, \`mcp_servers\` or \`context_servers\``,
      {
        hint: 'such as `.mcp.json`, `claude_desktop_config.json`, `.vscode/mcp.json` or `.codex/config.toml`',
      },
    )
  }
  const servers: ListedServer[] = []
  const skipped: { name: string; reason: string }[] = []
  for (const [name, entry] of Object.entries(listed)) {
    const reason = isRecord(entry) ? whySkipped(name, entry) : 'expected an object'
    if (reason !== undefined || !isRecord(entry)) skipped.push({ name, reason: reason ?? '' })
    else servers.push(readServer(name, entry))
  }
  return { servers, skipped }
}

function findServers(parsed: unknown): Record<string, unknown> | undefined {
  if (!isRecord(parsed)) return undefined
  const nested = isRecord(parsed.mcp) ? parsed.mcp.servers : undefined
  return [parsed.mcpServers, parsed.servers, parsed.mcp_servers, parsed.context_servers, nested].find(
    isRecord,
  )
}

type Entry = Readonly<Record<string, unknown>>

function whySkipped(
  name: string,
  { disabled, enabled, command, args, env, headers, url, serverUrl }: Entry,
): string | undefined {
  if (disabled === true || enabled === false) return 'it is disabled there'
  const odd = Object.entries({ args, env, headers }).find(([, value]) => !holdsWords(value))
  if (odd) return `\`${odd[0]}\` holds something other than text`
  const words = [command, ...(Array.isArray(args) ? args : [])].filter(word => typeof word === 'string')
  const isOurs = words.some(word => /(?:^|[\\/])(?:rye|rye\.cjs)$|^ryekit(?:@|$)/.test(word))
  if (isOurs) return `\`${name}\` is rye itself`
  if (typeof command !== 'string' && typeof (url ?? serverUrl) !== 'string')
    return 'it has neither `command` nor `url`'
  return undefined
}

/**
 * Whether the value is empty or holds only texts, numbers and booleans. A variable of null counts as not set.
 */
function holdsWords(value: unknown): boolean {
  if (value === undefined || value === null) return true
  const entries = typeof value === 'object' ? Object.values(value) : [{}]
  return entries.every(entry => typeof entry !== 'object' || (entry === null && isRecord(value)))
}

function readServer(name: string, entry: Entry): ListedServer {
  const notes: string[] = []
  const { command, args, cwd, url, serverUrl, headers, env, envFile } = entry
  if (envFile !== undefined)
    notes.push('`envFile` was not read: put what the server needs into `.env` of the project')
  const address = url ?? serverUrl
  const shown = readName(name)
  if (typeof command !== 'string') {
    const read = readValues(headers, header => `${variableName(shown)}_${variableName(header)}`, notes)
    return { name: shown, input: { url: expand(String(address)), headers: read }, notes }
  }
  const input: ServerInput = {
    command: expand(command),
    args: (Array.isArray(args) ? args : []).map(word => readArgument(String(word), notes)),
    env: readValues(env, variable => variable, notes),
    ...(typeof cwd === 'string' && { cwd: expand(cwd) }),
  }
  return { name: shown, input, notes }
}

/** Clients allow blanks and dots in names; we don't. */
function readName(name: string): string {
  return name
    .replaceAll(/[^\w-]+/g, '-')
    .replaceAll(/^[-_]+|-+$/g, '')
    .slice(0, 64)
}

function variableName(text: string): string {
  const name = text
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '')
  return /^\d/.test(name) ? `_${name}` : name
}

function readValues(
  given: unknown,
  nameOf: (key: string) => string,
  notes: string[],
): Record<string, string> {
  // No prototype, because a name may be `__proto__`.
  const values: Record<string, string> = Object.create(null)
  for (const [key, value] of Object.entries(isRecord(given) ? given : {})) {
    if (value === null) continue
    const text = expand(String(value))
    const isReference = text !== String(value) || /\$\{/.test(text)
    if (isReference || text === '' || !looksSecret(key, text)) {
      values[key] = text
      if (!isReference && text !== '') notes.push(`\`${key}\` was copied as it is`)
      continue
    }
    const variable = nameOf(key)
    values[key] = `\${${variable}}`
    notes.push(
      `the value of \`${key}\` was not copied: set \`${variable}\` in the environment of rye or in the project's .env`,
    )
  }
  return values
}

function readArgument(word: string, notes: string[]): string {
  const text = expand(word)
  if (!text.includes('${') && looksSecret('', text.replace(/^--?[\w-]+=/, '')))
    notes.push(
      'an argument looks like a secret, and was copied as it is: write `${NAME}` instead before you sign',
    )
  return text
}

/**
 * Translates `${env:NAME}`, `${input:name}` and `${workspaceFolder}` of other clients into our placeholders.
 */
function expand(text: string): string {
  return text
    .replaceAll(/\$\{env:([A-Za-z_]\w*)\}/g, (_, name: string) => `\${${name}}`)
    .replaceAll(/\$\{input:([\w.-]+)\}/g, (_, name: string) => `\${${variableName(name)}}`)
    .replaceAll(/\$\{(?:workspaceFolder|workspaceRoot)\}/g, '{project_path}')
    .replaceAll(/\$\{userHome\}/g, '${HOME}')
}
