// Files beside tools whose names begin with `_`. Listings leave them out, yet a tool runs without one that
// does not verify, or not at all. A file that nothing names is somebody's draft, and is left alone.
import { lstatSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { AppError } from '../base/index.ts'
import type { Extractors } from '../extract/index.ts'
import { readFile } from '../files/index.ts'
import { SKIPPED_FOLDERS } from '../item/index.ts'
import { type NamesSibling, PACKAGE_MARKERS, siblingNames } from '../plan/index.ts'
import {
  type ItemFile,
  type ItemRoot,
  type Listing,
  listOne,
  rootAt,
  rootPath,
  WALK_LIMITS,
  walk,
} from '../scan/index.ts'
import type { ResolvedEntry } from '../space/index.ts'

interface Places {
  readonly roots: readonly ItemRoot[]
  readonly extractors: Extractors
}

/** The skipped files of a listing that a file beside them names, or that belong to a package. */
export function usedHelpers(
  { roots, extractors }: Places,
  skipped: Listing['skipped'],
): ResolvedEntry<ItemFile>[] {
  const tools = roots.filter(({ type }) => type === 'tool')
  const folders = new Folders()
  return skipped.flatMap(({ path, reason }) => {
    if (reason !== 'skipped-name' || SKIPPED_FOLDERS.has(basename(path))) return []
    const root = rootAt(tools, path)
    if (!root) return []
    return filesAt(path, root.base).flatMap(file => {
      const entry = listOne(root, extractors, file)
      return entry && folders.use(entry, rootPath(root)) ? [{ entry, shadows: [], shadowedBy: null }] : []
    })
  })
}

/** The path itself, or all files below it. */
function filesAt(path: string, base: string): string[] {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path]
  return walk(path, { underscored: 'take', root: base }).files.map(file => join(path, file.path))
}

/** The content of folders, each read once. */
class Folders {
  readonly #files = new Map<string, readonly string[]>()
  readonly #names = new Map<string, NamesSibling>()

  /** Whether anything uses the file. */
  use({ path, base }: ItemFile, top: string): boolean {
    const folder = dirname(path)
    const others = this.#list(folder, base).filter(name => name !== basename(path))
    if (others.some(name => this.#namesIn(join(folder, name), base)(basename(path)))) return true
    for (let above = folder; above.startsWith(top); above = dirname(above))
      if (this.#list(above, base).some(name => PACKAGE_MARKERS.includes(name))) return true
    return false
  }

  #list(folder: string, base: string): readonly string[] {
    const known = this.#files.get(folder)
    if (known) return known
    const found = walk(folder, { underscored: 'take', root: base, depth: 0 }).files.map(({ path }) => path)
    this.#files.set(folder, found)
    return found
  }

  #namesIn(path: string, base: string): NamesSibling {
    const known = this.#names.get(path)
    if (known) return known
    const found = readNames(path, base)
    this.#names.set(path, found)
    return found
  }
}

/** An unreadable file names nothing. */
function readNames(path: string, root: string): NamesSibling {
  try {
    const file = readFile(path, { maxBytes: WALK_LIMITS.fileBytes, root })
    if (file) return siblingNames(path, file.bytes)
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
  }
  return () => false
}
