// LanceDB is large and optional: it is imported when a table is first opened, and may not be installed.
import { fileURLToPath } from 'node:url'
import { AppError, systemErrorCode } from '../../../base/index.ts'
import { installCommand } from './install-command.ts'

export type Lance = typeof import('@lancedb/lancedb')
export type Arrow = typeof import('apache-arrow')

/** The same versions as in `peerDependencies`. */
const LANCE_PACKAGES = '@lancedb/lancedb@0.31.0 apache-arrow@18.1.0'

/** Throws `NOT_AVAILABLE` with the command that installs it. */
export async function loadLance(): Promise<{ lance: Lance; arrow: Arrow }> {
  // Read by its logger when it is loaded. It would log a warning for a table that does not exist yet.
  process.env.LANCEDB_LOG ??= 'error'
  process.env.RUST_LOG ??= 'error'
  try {
    const [lance, arrow] = await Promise.all([import('@lancedb/lancedb'), import('apache-arrow')])
    return { lance, arrow }
  } catch (cause) {
    const isMissing =
      systemErrorCode(cause) === 'ERR_MODULE_NOT_FOUND' || systemErrorCode(cause) === 'MODULE_NOT_FOUND'
    throw new AppError(
      'NOT_AVAILABLE',
      isMissing ? 'LanceDB is not installed' : `LanceDB cannot be loaded: ${reason(cause)}`,
      { hint: installCommand(fileURLToPath(import.meta.url), LANCE_PACKAGES, process.cwd()), cause },
    )
  }
}

function reason(thrown: unknown): string {
  return (thrown instanceof Error ? thrown.message : String(thrown)).split('\n', 1)[0]!.slice(0, 200)
}
