// Adds a server to a TOML file that people edit. Only inserts text, so comments, order and layout stay as
// they are. The place is guessed with a pattern, and accepted only if the file then parses to what it did
// before plus our server.
import { isDeepStrictEqual } from 'node:util'
import { isRecord } from '../../../base/index.ts'
import type { ServerCommand } from './server-command.ts'

/** Matches `mcp_servers = {` at the start of a line. */
const INLINE = /^[ \t]*(?:mcp_servers|"mcp_servers"|'mcp_servers')[ \t]*=[ \t]*\{/gm

export function tomlTable(server: ServerCommand): string {
  return `[mcp_servers.rye]\n${membersOf(server).join('\n')}\n`
}

/**
 * Returns the text with our server; undefined when it already has an entry `rye`. Throws the parser's errors.
 */
export async function addTomlServer(text: string, server: ServerCommand): Promise<string | undefined> {
  const { parse } = await import('smol-toml')
  const wanted = parse(text)
  const servers = isRecord(wanted.mcp_servers) ? wanted.mcp_servers : {}
  if (Object.hasOwn(servers, 'rye')) return undefined
  const separator = Object.keys(servers).length > 0 ? ',' : ' '
  const ours = parse(tomlTable(server))
  if (isRecord(wanted.mcp_servers)) Object.assign(wanted.mcp_servers, ours.mcp_servers)
  else Object.assign(wanted, ours)
  const isRight = (added: string) => {
    try {
      return isDeepStrictEqual(parse(added), wanted)
    } catch {
      return false
    }
  }
  const appended = append(text, tomlTable(server))
  if (isRight(appended)) return appended
  const inline = ` rye = { ${membersOf(server).join(', ')} }${separator}`
  for (const { index, 0: opening } of text.matchAll(INLINE)) {
    const at = index + opening.length
    const inserted = text.slice(0, at) + inline + text.slice(at)
    if (isRight(inserted)) return inserted
  }
  // Throws the parser's own explanation.
  parse(appended)
  throw new Error('`mcp_servers` is written in a way that cannot be added to')
}

function membersOf({ command, args }: ServerCommand): string[] {
  return [
    `command = ${JSON.stringify(command)}`,
    `args = [${args.map(arg => JSON.stringify(arg)).join(', ')}]`,
  ]
}

function append(text: string, table: string): string {
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  const gap = text === '' || /\n\r?\n$/.test(text) ? '' : /\n$/.test(text) ? newline : newline + newline
  return text + gap + table.replaceAll('\n', newline)
}
