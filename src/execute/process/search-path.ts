// Where programs are looked for by their names. What lies in a project was verified by nobody, so a clone must not decide what a name
// means: not by entries that are relative, nor by those that lead into it.
import { delimiter, sep } from 'node:path'
import { absoluteFolders } from '../../base/index.ts'
import { realPath } from './real-path.ts'

/** The caller's `PATH` without what is relative or in the folder `outside`. A project that holds the home has programs of the user in it. */
export function searchPath(env: Readonly<Record<string, string | undefined>>, outside?: string): string {
  const { HOME = '' } = env
  const folders = absoluteFolders(env.PATH ?? env.Path ?? '')
  const isOpen = outside === undefined || (HOME !== '' && isIn(HOME, outside))
  return (isOpen ? folders : folders.filter(folder => !isIn(folder, outside))).join(delimiter)
}

function isIn(folder: string, outer: string): boolean {
  return `${realPath(folder)}${sep}`.startsWith(`${realPath(outer)}${sep}`)
}
