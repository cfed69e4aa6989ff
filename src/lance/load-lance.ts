// LanceDB is large and optional: it is imported when a table is first opened, and may not be installed.
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { AppError, firstLineOf, systemErrorCode } from '../base/index.ts'
import { installCommand } from './install-command.ts'

export type Lance = typeof import('@lancedb/lancedb')
export type Arrow = typeof import('apache-arrow')

/** The same versions as in `peerDependencies`. */
const LANCE_PACKAGES = '@lancedb/lancedb@0.31.0 apache-arrow@18.1.0'

/** Throws `NOT_AVAILABLE` with the command that installs LanceDB, to be typed in `directory`. */
export async function loadLance(directory: string | undefined): Promise<{ lance: Lance; arrow: Arrow }> {
  try {
    const arrow = loadArrow()
    return { lance: await import('@lancedb/lancedb'), arrow }
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

/**
 * Loads all of Arrow from one file, in a tenth of the time that its 140 modules take. It is put into the
 * module cache where LanceDB looks for Arrow, so that both use the same copy: LanceDB copies a table made by
 * another Arrow value by value before writing it.
 */
function loadArrow(): Arrow {
  const load = createRequire(import.meta.url)
  const path = load.resolve('apache-arrow')
  const whole = load.resolve('apache-arrow/Arrow.es2015.min')
  load(whole)
  load.cache[path] ??= load.cache[whole]!
  return load(path)
}
