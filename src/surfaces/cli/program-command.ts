// How this very program is started again, for the settings of clients.
import { realpathSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Program } from '../../actions/index.ts'

/** `rye` where that name leads to this program, and not to another of the same name; else Node with its file. */
export function findProgram(file: string, path = ''): Program {
  const folders = path.split(delimiter).filter(folder => folder !== '')
  const named = folders.map(folder => realPath(join(folder, 'rye'))).find(found => found !== undefined)
  if (named !== undefined && named === realPath(file)) return { command: 'rye' }
  return { command: process.execPath, args: [file] }
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    // Absent: the next folder is tried.
    return undefined
  }
}
