// Whose program is at the other end of a connection on loopback. The address that opens the page is on the command line of the browser,
// where every user of the machine can read it: this is how it is of no use to the others.
import { readFileSync } from 'node:fs'

export interface Ends {
  /** Of the server, and of whoever called. */
  readonly port: number
  readonly peerPort: number
}

const TABLE = '/proc/net/tcp'
const ROOT = 0

/** True where it is known to be somebody else; root may read everything anyway. Only Linux tells. */
export function isOtherUser(ends: Ends): boolean {
  const own = process.getuid?.()
  return own !== undefined && findUsers(readTable(), ends).some(user => user !== own && user !== ROOT)
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

function readTable(): string {
  try {
    return readFileSync(TABLE, 'utf8')
  } catch {
    // Another system, or a sandbox without it.
    return ''
  }
}
