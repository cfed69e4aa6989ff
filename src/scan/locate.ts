// From a caller's id to a path. The id is checked against its grammar first, then a few `lstat` calls look
// for the file: nothing is walked, every folder below a root is a real one, and the item is a regular file.
import { readdirSync } from 'node:fs'
import {
  chooseItemFiles,
  type Extractor,
  type Extractors,
  type ItemFileName,
  itemFileExtension,
} from '../extract/index.ts'
import { type FileState, fileState } from '../files/index.ts'
import { categoryOf, checkId, ITEM_TYPES, nameOf, type SignedType, type Space } from '../item/index.ts'
import { type Duplicate, type ResolvedEntry, resolveSpaces } from '../space/index.ts'
import { descend, statsAt } from './descend.ts'
import { fileProblem } from './file-problem.ts'
import type { ItemRoot } from './item-roots.ts'
import type { ItemFile } from './list-items.ts'
import type { SkippedPath } from './skipped-path.ts'
import { WALK_LIMITS } from './walk.ts'

export interface LocateRequest {
  readonly id: string
  /** Without it, all four item types are tried. */
  readonly type?: SignedType
  /** Without it, the first space that has the item. */
  readonly space?: Space
  /** For callers that know space and extension: no other file is looked for, nor what this one shadows. */
  readonly onlyExtension?: string
}

export interface Location {
  /** At most one per type; the caller refuses when there are several. */
  readonly found: readonly ResolvedEntry<ItemFile>[]
  readonly duplicates: readonly Duplicate<ItemFile>[]
  /** Paths that exist where the item should be, but cannot be used. */
  readonly skipped: readonly SkippedPath[]
}

/** Finds the file of an id; throws only `INVALID_ID`. */
export function locate(roots: readonly ItemRoot[], extractors: Extractors, request: LocateRequest): Location {
  checkId(request.id)
  const types: readonly SignedType[] = request.type ? [request.type] : ITEM_TYPES
  const skipped: SkippedPath[] = []
  const candidates = roots
    .filter(root => types.includes(root.type) && (!request.onlyExtension || root.space === request.space))
    .flatMap(root => findInRoot(root, extractors.get(root.type), request, skipped))
  const { items, duplicates } = resolveSpaces(candidates, extractors)
  const found = items.filter(({ entry, shadowedBy }) =>
    request.space ? entry.space === request.space : shadowedBy === null,
  )
  return { found, duplicates, skipped }
}

function findInRoot(
  root: ItemRoot,
  extractor: Extractor | undefined,
  { id, onlyExtension }: LocateRequest,
  skipped: SkippedPath[],
): ItemFile[] {
  if (extractor === undefined || (root.only !== undefined && root.only !== id)) return []
  const { itemFile } = extractor
  const above = itemFile === null ? categoryOf(id) : id
  const segments = above === '' ? [] : above.split('/')
  const folder = descend(root.base, [...root.segments, ...segments], skipped)
  if (folder === undefined) return []
  if (itemFile !== null && isPartOfAnother(folder, segments.length, extractor)) return []
  const names =
    itemFile === null
      ? extractor.extensions.map(extension => ({ name: `${nameOf(id)}${extension}`, extension }))
      : itemFilesIn(folder, extractor)
  return names.flatMap(({ name, extension }) => {
    if (onlyExtension !== undefined && extension !== onlyExtension) return []
    const path = `${folder}/${name}`
    const file = regularFile(path, skipped)
    return file
      ? {
          type: root.type,
          id,
          space: root.space,
          path,
          extension,
          folder: root.folder,
          base: root.base,
          ...file,
        }
      : []
  })
}

/** A folder inside an item is part of that item, whatever it contains. */
function isPartOfAnother(folder: string, depth: number, extractor: Extractor): boolean {
  let above = folder
  for (let level = 1; level < depth; level++) {
    above = above.slice(0, above.lastIndexOf('/'))
    const inside = above
    if (itemFilesIn(inside, extractor).some(({ name }) => statsAt(`${inside}/${name}`, [])?.isFile()))
      return true
  }
  return false
}

/**
 * Tries the usual names first. All names in the folder are read only if one of those is missing, since it may
 * hold thousands of items.
 */
function itemFilesIn(folder: string, extractor: Extractor): ItemFileName[] {
  const { itemFile, extensions } = extractor
  const isRegular = (name: string) => statsAt(`${folder}/${name}`, [])?.isFile() === true
  const usual = extensions
    .map(extension => ({ name: `${itemFile}${extension}`, extension }))
    .filter(({ name }) => isRegular(name))
  if (usual.length === extensions.length) return usual
  const named = namesIn(folder).filter(name => itemFileExtension(extractor, name) !== undefined)
  const regular = named.filter(isRegular)
  // Without a regular file, all matching names are kept: the caller then reports what is wrong with them.
  return chooseItemFiles(extractor, regular.length > 0 ? regular : named)
}

/** Empty for a folder that cannot be read; the problem shows up when its file is looked for by name. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function regularFile(path: string, skipped: SkippedPath[]): FileState | undefined {
  const stats = statsAt(path, skipped)
  if (stats === undefined) return undefined
  const problem = fileProblem(stats, WALK_LIMITS.fileBytes)
  if (problem === undefined) return fileState(stats)
  skipped.push({ path, ...problem })
  return undefined
}
