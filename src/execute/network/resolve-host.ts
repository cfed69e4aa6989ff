// Resolves names the way the system does. A name is looked up once for a connection, and only what was found
// is dialled.
import { lookup } from 'node:dns'

export type ResolveHost = (host: string) => Promise<readonly string[]>

export function resolveBySystem(host: string): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    lookup(host, { all: true, verbatim: true }, (error, found) => {
      if (error) reject(error)
      else resolve(found.map(entry => entry.address))
    })
  })
}
