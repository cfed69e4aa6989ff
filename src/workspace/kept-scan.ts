// What `find` found when the index was last brought up to date, stored in the index. The next scan is
// compared with it: if files were written and nothing else happened, only their items are looked at. Anything
// else needs a full walk.
import { basename, dirname, join, relative } from 'node:path'
import { lazy } from '../base/index.ts'
import { type Extractor, itemFileExtension } from '../extract/index.ts'
import {
  editedFiles,
  type FoundRoots,
  listOne,
  packRoots,
  rootAt,
  rootPath,
  unpackRoots,
} from '../scan/index.ts'
import type { KnownFew } from '../search/index.ts'
import type { FoundFile, IndexDiagnostic } from './read-changed.ts'
import type { RefreshPlan } from './refresh-plan.ts'

/** What a refresh stores for the next one. */
export interface KeptScan {
  /** Digest of the rules by which the files were read. */
  readonly rules: string
  readonly found: FoundRoots
  readonly items: number
  readonly diagnostics: readonly IndexDiagnostic[]
}

export function packScan({ found, ...rest }: KeptScan): Uint8Array {
  return packRoots(found, rest)
}

/** Undefined for a scan that is damaged, or was made under other rules. */
export function unpackScan(kept: Uint8Array, rules: string): KeptScan | undefined {
  const unpacked = unpackRoots(kept)
  if (unpacked?.about.rules !== rules) return undefined
  // Scans made under the same rules have this shape.
  return { ...(unpacked.about as unknown as Omit<KeptScan, 'found'>), found: unpacked.found }
}

export interface EditedSince {
  readonly before: FoundRoots
  readonly now: FoundRoots
  readonly known: KnownFew
  /** The paths of all files in the index. */
  allPaths(): Iterable<string>
}

/** The items to compare with the index. Undefined when a walk is needed. */
export function editedItems(
  plan: RefreshPlan,
  { before, now, known, allPaths }: EditedSince,
): FoundFile[] | undefined {
  const files = editedFiles(before, now)
  if (files === undefined) return undefined
  const items = new Map<string, FoundFile>()
  const oddNames = lazy(() => oddlyNamed(plan, allPaths()))
  for (const file of [...files, ...known.unsettled.map(path => join(plan.base, path))]) {
    const path = itemPath(plan, file, { known, oddNames })
    const found = path && (items.get(path) ?? findFile(plan, path, known))
    if (!found) return undefined
    items.set(found.path, found)
  }
  return [...items.values()]
}

/** The index path of the item that a file belongs to. */
function itemPath(plan: RefreshPlan, file: string, { known, oddNames }: KnownItems): string | undefined {
  const root = rootAt(plan.roots, file)
  const extractor = root && plan.extractors.get(root.type)
  if (!extractor) return undefined
  if (extractor.itemFile === null) {
    const path = pathBelow(plan.base, file)
    return known.find(path) && path
  }
  const folders = foldersAbove(file, rootPath(root)).map(folder => pathBelow(plan.base, folder))
  const usual = folders.flatMap(folder => mainFiles(folder, extractor)).find(path => known.find(path))
  return usual ?? folders.map(folder => oddNames().get(folder)).find(path => path !== undefined)
}

interface KnownItems {
  readonly known: EditedSince['known']
  /** Folder → main file, if it is spelled like `Skill.md`. Few are, and most scans do not ask. */
  oddNames(): ReadonlyMap<string, string>
}

function oddlyNamed({ extractors }: RefreshPlan, paths: Iterable<string>): Map<string, string> {
  const folderItems = [...extractors.values()].filter(({ itemFile }) => itemFile !== null)
  const odd = new Map<string, string>()
  for (const path of paths) {
    const name = basename(path)
    if (folderItems.some(extractor => itemFileExtension(extractor, name) !== undefined))
      odd.set(dirname(path), path)
  }
  return odd
}

/** Folders that may be the folder item that holds a file, topmost first. */
function foldersAbove(file: string, root: string): string[] {
  const folders: string[] = []
  for (let slash = root.length; slash !== -1; slash = file.indexOf('/', slash + 1))
    folders.push(file.slice(0, slash))
  return folders
}

function mainFiles(folder: string, { itemFile, extensions }: Extractor): string[] {
  return extensions.map(extension => `${folder}/${itemFile}${extension}`)
}

function findFile(plan: RefreshPlan, path: string, known: KnownFew): FoundFile | undefined {
  const main = join(plan.base, path)
  const root = rootAt(plan.roots, main)
  const file = root && listOne(root, plan.extractors, main)
  return file && pathBelow(plan.base, file.path) === path
    ? { path, file, known: known.find(path) }
    : undefined
}

export function pathBelow(base: string, path: string): string {
  return path.startsWith(`${base}/`) ? path.slice(base.length + 1) : relative(base, path)
}
