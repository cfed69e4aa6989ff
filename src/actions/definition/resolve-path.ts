// Resolves paths that a caller names. Relative ones start where the surface says; the current directory of
// the process is never used.
import { isAbsolute, resolve } from 'node:path'
import { AppError, escapeHidden } from '../../base/index.ts'
import type { ActionContext } from './action.ts'

type Where = Pick<ActionContext, 'directory'>

/** The absolute path. Throws `INVALID_INPUT` for an empty path, or a relative one without `directory`. */
export function resolvePath(where: Where, path: string): string {
  if (path === '') throw emptyText('a path')
  const resolved = findPath(where, path)
  if (resolved !== undefined) return resolved
  const shown = escapeHidden(path.slice(0, 200), { oneLine: true })
  throw new AppError('INVALID_INPUT', `expected an absolute path, got \`${shown}\``)
}

/** The absolute path. Undefined for a relative one when there is no `directory`. */
export function findPath({ directory }: Where, path: string): string | undefined {
  if (directory !== undefined) return resolve(directory, path)
  return isAbsolute(path) ? resolve(path) : undefined
}

/** The error for an empty text, which would otherwise mean the current directory, or everything. */
export function emptyText(expected: string): AppError {
  return new AppError('INVALID_INPUT', `expected ${expected}, got an empty text`, {
    hint: 'an unset shell variable is empty',
  })
}
