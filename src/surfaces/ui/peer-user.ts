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
  const peer = own === undefined ? undefined : findUser(readTable(), ends)
  return peer !== undefined && peer !== own && peer !== ROOT
}

/** The user of the socket at the far end, in the kernel's table of TCP sockets. */
export function findUser(table: string, { port, peerPort }: Ends): number | undefined {
  for (const line of table.split('\n')) {
    const [, local, remote, , , , , user] = line.trim().split(/\s+/)
    if (portOf(local) === peerPort && portOf(remote) === port && user !== undefined) return Number(user)
  }
  return undefined
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
