// Where programs are looked up by name. Nobody verified what is in a project, so a clone must not decide what
// a name means: neither by relative entries nor by entries that lead into it.
import { delimiter, sep } from 'node:path'
import { absoluteFolders } from '../../base/index.ts'
import { realPath } from './real-path.ts'

/**
 * The caller's `PATH` without relative folders and those inside `outside`. If `outside` holds the home, its
 * folders stay: the user's own programs are there.
 */
export function searchPath(env: Readonly<Record<string, string | undefined>>, outside?: string): string {
  const { HOME = '' } = env
  const folders = absoluteFolders(env.PATH ?? env.Path ?? '')
  const isOpen = outside === undefined || (HOME !== '' && isIn(HOME, outside))
  return (isOpen ? folders : folders.filter(folder => !isIn(folder, outside))).join(delimiter)
}

function isIn(folder: string, outer: string): boolean {
  return `${realPath(folder)}${sep}`.startsWith(`${realPath(outer)}${sep}`)
}
