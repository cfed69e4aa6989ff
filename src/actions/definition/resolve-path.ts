// Paths that a caller names. Where relative ones begin is for the surface to say: the process is never asked.
import { isAbsolute, resolve } from 'node:path'
import { AppError, escapeHidden } from '../../base/index.ts'
import type { ActionContext } from './action.ts'

type Where = Pick<ActionContext, 'directory'>

/** The absolute path; throws `INVALID_INPUT` for an empty one, or when nothing says where a relative one begins. */
export function resolvePath(where: Where, path: string): string {
  if (path === '') throw emptyText('a path')
  const resolved = findPath(where, path)
  if (resolved !== undefined) return resolved
  const shown = escapeHidden(path.slice(0, 200), { oneLine: true })
  throw new AppError('INVALID_INPUT', `expected an absolute path, got \`${shown}\``)
}

/** The absolute path; undefined when nothing says where a relative one begins. */
export function findPath({ directory }: Where, path: string): string | undefined {
  if (directory !== undefined) return resolve(directory, path)
  return isAbsolute(path) ? resolve(path) : undefined
}

/** An empty text would mean the current directory, or everything. */
export function emptyText(expected: string): AppError {
  return new AppError('INVALID_INPUT', `expected ${expected}, got an empty text`, {
    hint: 'a variable that is not set is empty',
  })
}
