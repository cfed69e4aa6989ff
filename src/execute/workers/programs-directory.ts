// Where the programs lie that interpreters of tools run for us: workers and launchers.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Beside this file in the source, beside the bundle in the package. */
export function programsDirectory(): string {
  const places = ['./programs', './workers', '../workers'].map(place =>
    fileURLToPath(new URL(place, import.meta.url)),
  )
  const found = places.find(place => existsSync(place))
  if (found === undefined) throw new Error(`unreachable: no worker programs in ${places.join(', ')}`)
  return found
}
