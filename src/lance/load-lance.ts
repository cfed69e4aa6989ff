// LanceDB is large and optional: it is imported when a table is first opened, and may not be installed.
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { AppError, firstLineOf, systemErrorCode } from '../base/index.ts'
import { installCommand } from './install-command.ts'

export type Lance = typeof import('@lancedb/lancedb')
export type Arrow = typeof import('apache-arrow')

/** The same versions as in `peerDependencies`. */
const LANCE_PACKAGES = '@lancedb/lancedb@0.31.0 apache-arrow@18.1.0'

/** Throws `NOT_AVAILABLE` with the command that installs it, as typed in `directory`. */
export async function loadLance(directory: string | undefined): Promise<{ lance: Lance; arrow: Arrow }> {
  try {
    const lance = await import('@lancedb/lancedb')
    // The build that LanceDB itself requires: a table of the other one is copied value by value before it is written.
    const arrow: Arrow = createRequire(import.meta.url)('apache-arrow')
    return { lance, arrow }
  } catch (cause) {
    const isMissing =
      systemErrorCode(cause) === 'ERR_MODULE_NOT_FOUND' || systemErrorCode(cause) === 'MODULE_NOT_FOUND'
    throw new AppError(
      'NOT_AVAILABLE',
      isMissing
        ? 'LanceDB is not installed'
        : `LanceDB cannot be loaded: ${firstLineOf(cause).slice(0, 200)}`,
      { hint: installCommand(fileURLToPath(import.meta.url), LANCE_PACKAGES, directory), cause },
    )
  }
}
