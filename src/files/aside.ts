// A folder aside: what a rename is to put into a folder is made in it, and a rename takes into it what goes. It stands beside that
// folder and not in it, because whoever reads the folder would take what is unfinished for finished. Its name says which process
// made it, as that of a temporary file does, so that what a killed one left can be removed.
import { randomBytes } from 'node:crypto'
import { mkdirSync, renameSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { systemErrorCode } from '../base/index.ts'
import { asAppError, openMade, type WriteOptions } from './atomic-write.ts'
import { type Folder, NotAFolder, openFolder, syncFolder } from './folder.ts'
import { isStaleFolder, temporaryName } from './temporary-name.ts'

type Root = Pick<WriteOptions, 'root'>

/** The folder above is on another file system, or not ours to write. */
const NOT_BESIDE = ['EXDEV', 'EACCES', 'EPERM', 'EROFS']

/** Makes one for a folder below the root, which is made if it is missing. Throws `WRITE_FAILED`. */
export function makeAside(folder: string, { root }: Root): string {
  const name = temporaryName(randomBytes(8).toString('hex'))
  try {
    const inside = openMade(folder, { root })
    try {
      mkdirSync(inside.at(name), { mode: 0o700 })
      return join(isMovedOut(inside, name, root) ? dirname(folder) : folder, name)
    } finally {
      inside.close()
    }
  } catch (thrown) {
    throw asAppError(thrown, join(folder, name))
  }
}

/** While it is empty, moving it shows whether what is in it can be moved. */
function isMovedOut(inside: Folder, name: string, root: string): boolean {
  const above = openFolder(dirname(inside.path), root)
  try {
    renameSync(inside.at(name), above.at(name))
    return true
  } catch (thrown) {
    if (NOT_BESIDE.includes(systemErrorCode(thrown) ?? '')) return false
    throw thrown
  } finally {
    above.close()
  }
}

/** Those of a folder that killed processes left. */
export function staleAsides(folder: string, { root }: Root): string[] {
  return [dirname(folder), folder].flatMap(path =>
    namesIn(path, root)
      .filter(name => isStaleFolder(join(path, name)))
      .map(name => join(path, name)),
  )
}

/** Moves a file, a link or a folder; only an empty folder is ever replaced by it. Durable after `syncMoves`. Throws `WRITE_FAILED`. */
export function move(from: string, to: string, { root }: Root): void {
  try {
    const source = openFolder(dirname(from), root)
    try {
      const target = openMade(dirname(to), { root })
      try {
        renameSync(source.at(basename(from)), target.at(basename(to)))
      } finally {
        target.close()
      }
    } finally {
      source.close()
    }
  } catch (thrown) {
    throw asAppError(thrown, to)
  }
}

/** Makes moves into and out of these folders durable. Throws `WRITE_FAILED`. */
export function syncMoves(folders: readonly string[], { root }: Root): void {
  for (const folder of folders) {
    try {
      syncFolder(folder, root)
    } catch (thrown) {
      throw asAppError(thrown, folder)
    }
  }
}

function namesIn(path: string, root: string): string[] {
  try {
    const folder = openFolder(path, root)
    try {
      return folder.names()
    } finally {
      folder.close()
    }
  } catch (thrown) {
    if (systemErrorCode(thrown) === undefined && !(thrown instanceof NotAFolder)) throw thrown
    return []
  }
}
