// Whose program is at the other end of a connection on loopback. The address that opens the page is on the command line of the browser,
// where every user of the machine can read it: this is how it is of no use to the others.
import { readFileSync } from 'node:fs'

export interface Ends {
  /** Of the server, and of whoever called. */
  readonly port: number
  readonly peerPort: number
}

/** A socket of IPv6 reaches a server of IPv4 by a mapped address, and is in the second one. */
const TABLES = ['/proc/net/tcp', '/proc/net/tcp6']
const ROOT = 0

/**
 * True where it may be somebody else; root may read everything anyway. Only Linux tells: where it has a table, a connection that is in none
 * of them is nobody's that we know.
 */
export function isOtherUser(ends: Ends, tables = TABLES.map(readTable)): boolean {
  const own = process.getuid?.()
  if (own === undefined || tables.every(table => table === '')) return false
  const users = tables.flatMap(table => findUsers(table, ends))
  return users.length === 0 || users.some(user => user !== own && user !== ROOT)
}

/**
 * The users of sockets that may be the far end, in the kernel's table of TCP sockets: there are several where somebody calls from another
 * address of loopback, or calls another host, between the same two ports.
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
    // Another system, or a sandbox without it.
    return ''
  }
}
