// Writes the code that this start compiled for the next one, to the first place that can be written.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { AppError, systemErrorCode } from '../base/index.ts'
import { removeFile } from '../files/index.ts'
import { type CodeCache, type CodePlace, sealCode } from './code-cache.ts'
import { keepFile } from './keep-file.ts'

/**
 * Enough for the names of two versions of Node. Older files are removed here, because nothing else removes
 * them.
 */
const MAX_FILES = 24

export function writeCode(cache: CodeCache, code: Buffer): void {
  const sealed = sealCode(cache, code)
  cache.places.some(place => writeTo(place, cache.name, sealed))
}

function writeTo(place: CodePlace, name: string, sealed: Buffer): boolean {
  const root = keepFile(place, name, sealed)
  if (root === undefined) return false
  removeOld(place.folder, root)
  return true
}

function removeOld(folder: string, root: string): void {
  try {
    for (const path of oldFiles(folder)) removeFile(path, { root })
  } catch (thrown) {
    // Another process removed them first.
    if (!(thrown instanceof AppError) && systemErrorCode(thrown) === undefined) throw thrown
  }
}

function oldFiles(folder: string): string[] {
  const files = readdirSync(folder).map(name => join(folder, name))
  if (files.length <= MAX_FILES) return []
  const age = new Map(files.map(path => [path, statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0]))
  return files.sort((a, b) => age.get(b)! - age.get(a)!).slice(MAX_FILES)
}
