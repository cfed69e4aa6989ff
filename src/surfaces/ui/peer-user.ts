// Which user owns the program at the other end of a loopback connection. The address that opens the page is
// on the browser's command line, where every user of the machine can read it: this check makes it useless to
// them.
import { readFileSync } from 'node:fs'

export interface Ends {
  /** Port of the server; `peerPort` is the caller's. */
  readonly port: number
  readonly peerPort: number
}

/** An IPv6 socket that reaches the IPv4 server through a mapped address is listed in the second table. */
const TABLES = ['/proc/net/tcp', '/proc/net/tcp6']
const ROOT = 0

/**
 * True when the caller may be another user. Root doesn't count: it can read everything anyway. Only Linux has
 * the tables; elsewhere this is always false. Where there is a table, a connection listed in none of them
 * counts as another user's.
 */
export function isOtherUser(ends: Ends, tables = TABLES.map(readTable)): boolean {
  const own = process.getuid?.()
  if (own === undefined || tables.every(table => table === '')) return false
  const users = tables.flatMap(table => findUsers(table, ends))
  return users.length === 0 || users.some(user => user !== own && user !== ROOT)
}

/**
 * The users of sockets that may be the far end, from the kernel's table of TCP sockets. There are several
 * when someone uses the same two ports from another loopback address, or to reach another host.
 */
export function findUsers(table: string, { port, peerPort }: Ends): number[] {
  return table.split('\n').flatMap(line => {
    const [, local, remote, , , , , user] = line.trim().split(/\s+/)
    return portOf(local) === peerPort && portOf(remote) === port && user !== undefined ? [Number(user)] : []
  })
}

function portOf(address: string | undefined): number {
  return Number.parseInt(address?.split(':')[1] ?? '', 16)
}

function readTable(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // Not Linux, or a sandbox without `/proc`.
    return ''
  }
}
