// Finds our programs that run inside sandboxes: workers, launchers, and the one that opens a network.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { AppError } from '../../base/index.ts'

/** In the `workers` folder of the source, or beside the bundle in the package. */
export function programsDirectory(): string {
  const places = ['../workers/programs', './workers', '../workers'].map(place =>
    fileURLToPath(new URL(place, import.meta.url)),
  )
  const found = places.find(place => existsSync(place))
  if (found !== undefined) return found
  throw new AppError('FILE_UNREADABLE', 'rye is damaged: the programs of its workers are missing', {
    hint: 'install it again',
  })
}
