// How a name becomes addresses: as the system does it. A name is looked up once for a connection, and what was found is what is dialled.
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
