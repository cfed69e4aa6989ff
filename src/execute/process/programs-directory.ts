// Where the programs lie that run inside of sandboxes for us: workers, launchers, and what opens a network.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** In the room of the workers in the source, beside the bundle in the package. */
export function programsDirectory(): string {
  const places = ['../workers/programs', './workers', '../workers'].map(place =>
    fileURLToPath(new URL(place, import.meta.url)),
  )
  const found = places.find(place => existsSync(place))
  if (found === undefined) throw new Error(`unreachable: no worker programs in ${places.join(', ')}`)
  return found
}
