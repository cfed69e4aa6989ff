// Writes the code that this start compiled for the next one, in the first place that is ours to write. That it could
// not be written is no failure of the call: the next start compiles again.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { AppError, systemErrorCode } from '../base/index.ts'
import { atomicWrite, removeFile } from '../files/index.ts'
import { type CodeCache, type CodePlace, isOurs, sealCode } from './code-cache.ts'

/** Enough for the commands of two versions; older ones go, because nobody else clears them. */
const MOST_FILES = 40

export function writeCode(cache: CodeCache, code: Buffer): void {
  const sealed = sealCode(cache, code)
  cache.places.some(place => writeIn(place, cache.name, sealed))
}

function writeIn(place: CodePlace, name: string, sealed: Buffer): boolean {
  const { root, folder } = place
  try {
    if (!isOurs(place)) return false
    atomicWrite(join(folder, name), sealed, { root, mode: 0o644, folderMode: 0o755 })
    for (const path of oldFiles(folder)) removeFile(path, { root })
    return true
  } catch (thrown) {
    if (!(thrown instanceof AppError) && systemErrorCode(thrown) === undefined) throw thrown
    // Read-only, full, or gone meanwhile.
    return false
  }
}

function oldFiles(folder: string): string[] {
  const files = readdirSync(folder).map(name => join(folder, name))
  if (files.length <= MOST_FILES) return []
  const age = new Map(files.map(path => [path, statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0]))
  return files.sort((a, b) => age.get(b)! - age.get(a)!).slice(MOST_FILES)
}
