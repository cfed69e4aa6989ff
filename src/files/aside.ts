// An aside is a temporary folder for moves into and out of another folder: new content is prepared in it and
// renamed into place, old content is renamed into it. It stands beside that folder rather than inside,
// because a reader of the folder would take unfinished content for finished. Its name says which process made
// it, as a temporary file's does, so leftovers of a killed process can be removed.
import { randomBytes } from 'node:crypto'
import { mkdirSync, renameSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { systemErrorCode } from '../base/index.ts'
import { asAppError, openMade, type WriteOptions } from './atomic-write.ts'
import { type Folder, NotAFolder, openFolder, syncFolder } from './folder.ts'
import { isStaleFolder, temporaryName } from './temporary-name.ts'

type Root = Pick<WriteOptions, 'root'>

/** Errors of a rename to the folder above when that is on another file system, or not ours to write. */
const NOT_BESIDE = ['EXDEV', 'EACCES', 'EPERM', 'EROFS']

/** Makes an aside for a folder below the root, which is made if missing. Throws `WRITE_FAILED`. */
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

/** Moving the aside while it is still empty shows whether its content could be moved later. */
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

/** Asides of this folder that killed processes left behind. */
export function staleAsides(folder: string, { root }: Root): string[] {
  return [dirname(folder), folder].flatMap(path =>
    namesIn(path, root)
      .filter(name => isStaleFolder(join(path, name)))
      .map(name => join(path, name)),
  )
}

/**
 * Moves a file, a link or a folder. Of existing folders, only an empty one is ever replaced. Durable after
 * `syncMoves`. Throws `WRITE_FAILED`.
 */
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
