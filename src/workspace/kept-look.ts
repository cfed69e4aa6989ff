// What `find` found when the index was last brought up to date, kept in the index: the next look is compared with it, and where files were
// written and nothing else has happened, only their items are looked at. Anything else is for a walk of all.
import { join, relative } from 'node:path'
import type { Extractor } from '../extract/index.ts'
import {
  editedFiles,
  type FoundRoots,
  itemFileNames,
  listOne,
  packRoots,
  rootAt,
  rootPath,
  unpackRoots,
} from '../scan/index.ts'
import type { KnownFile } from '../search/index.ts'
import type { FoundFile, IndexDiagnostic } from './read-changed.ts'
import type { RefreshPlan } from './refresh-plan.ts'

/** What a refresh leaves for the next. */
export interface KeptLook {
  /** Of the rules by which the files were read. */
  readonly rules: string
  readonly found: FoundRoots
  readonly items: number
  readonly diagnostics: readonly IndexDiagnostic[]
}

export function packLook({ found, ...rest }: KeptLook): Uint8Array {
  return packRoots(found, rest)
}

/** Undefined for what was made by other rules, or is damaged. */
export function unpackLook(kept: Uint8Array, rules: string): KeptLook | undefined {
  const unpacked = unpackRoots(kept)
  if (unpacked?.about.rules !== rules) return undefined
  // Whoever made it under the same rules gave it this shape.
  return { ...(unpacked.about as unknown as Omit<KeptLook, 'found'>), found: unpacked.found }
}

export interface EditedSince {
  readonly before: FoundRoots
  readonly now: FoundRoots
  readonly known: ReadonlyMap<string, KnownFile>
}

/** The items that are to be compared with the index; undefined where that takes a walk. */
export function editedItems(plan: RefreshPlan, { before, now, known }: EditedSince): FoundFile[] | undefined {
  const files = editedFiles(before, now)
  if (files === undefined) return undefined
  // What was read of a file that had just been written may be older than it.
  const unsettled = [...known].filter(([, { ctimeMs }]) => ctimeMs === null).map(([path]) => path)
  const items = new Map<string, FoundFile>()
  for (const file of [...files, ...unsettled.map(path => join(plan.base, path))]) {
    const path = itemPath(plan, file, known)
    const found = path && (items.get(path) ?? findFile(plan, path, known))
    if (!found) return undefined
    items.set(found.path, found)
  }
  return [...items.values()]
}

/** In the index, of the item that a file belongs to. */
function itemPath(plan: RefreshPlan, file: string, known: EditedSince['known']): string | undefined {
  const root = rootAt(plan.roots, file)
  const extractor = root && plan.extractors.get(root.type)
  if (!extractor) return undefined
  const paths = extractor.itemFile === null ? [file] : [...mainFiles(file, rootPath(root), extractor)]
  return paths.map(path => pathBelow(plan.base, path)).find(path => known.has(path))
}

/** Where the main file of the folder item that holds a file may be, the topmost first. */
function* mainFiles(file: string, root: string, extractor: Extractor): Generator<string> {
  for (let slash = root.length; slash !== -1; slash = file.indexOf('/', slash + 1)) {
    for (const name of itemFileNames(extractor).keys()) yield `${file.slice(0, slash)}/${name}`
  }
}

function findFile(plan: RefreshPlan, path: string, known: EditedSince['known']): FoundFile | undefined {
  const main = join(plan.base, path)
  const root = rootAt(plan.roots, main)
  const file = root && listOne(root, plan.extractors, main)
  return file && pathBelow(plan.base, file.path) === path ? { path, file, known: known.get(path) } : undefined
}

export function pathBelow(base: string, path: string): string {
  return path.startsWith(`${base}/`) ? path.slice(base.length + 1) : relative(base, path)
}
