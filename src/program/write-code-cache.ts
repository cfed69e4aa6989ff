// Writes the code that this start compiled, for the next one, to the first place that it can. If that fails, the call does not:
// the next start compiles again.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { AppError, systemErrorCode } from '../base/index.ts'
import { atomicWrite, removeFile } from '../files/index.ts'
import { type CodeCache, type CodePlace, isWritablePlace, sealCode } from './code-cache.ts'

/** Enough for the names of two versions of Node. Older files are removed here, because nobody else does. */
const MAX_FILES = 24

export function writeCode(cache: CodeCache, code: Buffer): void {
  const sealed = sealCode(cache, code)
  cache.places.some(place => writeTo(place, cache.name, sealed))
}

function writeTo(place: CodePlace, name: string, sealed: Buffer): boolean {
  const { root, folder } = place
  try {
    if (!isWritablePlace(place)) return false
    atomicWrite(join(folder, name), sealed, { root, mode: 0o644, folderMode: 0o755 })
    for (const path of oldFiles(folder)) removeFile(path, { root })
    return true
  } catch (thrown) {
    if (!(thrown instanceof AppError) && systemErrorCode(thrown) === undefined) throw thrown
    // Read-only, full, or removed meanwhile.
    return false
  }
}

function oldFiles(folder: string): string[] {
  const files = readdirSync(folder).map(name => join(folder, name))
  if (files.length <= MAX_FILES) return []
  const age = new Map(files.map(path => [path, statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0]))
  return files.sort((a, b) => age.get(b)! - age.get(a)!).slice(MAX_FILES)
}
