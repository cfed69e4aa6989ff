// Every item of the given roots, found by walking them. Files that are not items are reported as skipped.
import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { sha256Hex } from '../base/index.ts'
import { chooseItemFiles, type Extractor, type Extractors, itemFileExtension } from '../extract/index.ts'
import { type FileState, fileState, stampFiles } from '../files/index.ts'
import { idProblem, isUnderscored } from '../item/index.ts'
import type { SpaceEntry } from '../space/index.ts'
import { descend, statsAt } from './descend.ts'
import { fileProblem } from './file-problem.ts'
import type { ItemRoot } from './item-roots.ts'
import { type SkippedPath, skippedPath } from './skipped-path.ts'
import { stampWalk } from './stamp-walk.ts'
import { WALK_LIMITS, type WalkedFile, type WalkLimits, walk } from './walk.ts'

/** An item and the state of its file; for a folder item in a listing, one state for the whole folder. */
export interface ItemFile extends SpaceEntry, FileState {
  /** The file must be read and written through real folders from here on. */
  readonly base: string
  /** A folder item's files, relative to the folder, as a walk would list them. Absent when unknown. */
  readonly parts?: readonly string[]
}

export interface Listing {
  readonly items: readonly ItemFile[]
  readonly skipped: readonly SkippedPath[]
}

/** The files that a walk of the roots found; `list` says which of them are items. */
export interface WalkedRoots {
  /** Stays the same as long as no file in the roots is written. Undefined while a file is not settled. */
  readonly stamp: string | undefined
  list(): Listing
}

/** Lists items of all spaces; `space/` decides which win. Leaves out types without an extractor. */
export function listItems(
  roots: readonly ItemRoot[],
  extractors: Extractors,
  limits: Partial<WalkLimits> = {},
): Listing {
  return walkRoots(roots, extractors, limits).list()
}

export function walkRoots(
  roots: readonly ItemRoot[],
  extractors: Extractors,
  limits: Partial<WalkLimits> = {},
): WalkedRoots {
  const skippedRoots: SkippedPath[] = []
  const walks = roots.flatMap(root => {
    const extractor = extractors.get(root.type)
    const path = extractor && descend(root.base, root.segments, skippedRoots)
    if (extractor === undefined || path === undefined) return []
    const underscored = extractor.itemFile === null ? 'skip' : 'take'
    return { root, path, extractor, ...walk(path, { ...limits, underscored, root: root.base }) }
  })
  return {
    get stamp() {
      const stamps = walks.map(walked => stampWalk(walked.path, walked))
      return stamps.includes(undefined) ? undefined : sha256Hex(JSON.stringify([stamps, skippedRoots]))
    },
    list() {
      const items: ItemFile[] = []
      const skipped = [...skippedRoots]
      for (const { root, path, extractor, ...walked } of walks) {
        for (const entry of walked.skipped) skipped.push(entry)
        const list = extractor.itemFile === null ? listFiles : listFolders
        list({ root, path, extractor, files: walked.files, items, skipped })
      }
      return { items, skipped: withoutKnownLinks(skipped, items) }
    },
  }
}

/** The entry that listing the root would give for the item with this file, if no other item contains it. */
export function listOne(root: ItemRoot, extractors: Extractors, path: string): ItemFile | undefined {
  const extractor = extractors.get(root.type)
  const top = extractor && descend(root.base, root.segments, [])
  if (extractor === undefined || top === undefined || !path.startsWith(`${top}/`)) return undefined
  const listing = { root, path: top, extractor, items: [] as ItemFile[] }
  if (extractor.itemFile === null) {
    const stats = statsAt(path, [])
    if (!stats || fileProblem(stats, WALK_LIMITS.fileBytes)) return undefined
    const below = path.slice(top.length + 1)
    listFiles({ ...listing, files: [{ path: below, ...fileState(stats) }], skipped: [] })
  } else {
    const folder = dirname(path)
    const below = folder.slice(top.length + 1)
    const { files, skipped } = walk(folder, { underscored: 'take', root: root.base })
    const inRoot = files.map(file => ({ ...file, path: `${below}/${file.path}` }))
    listFolders({ ...listing, files: inRoot, skipped: [...skipped] })
  }
  return listing.items.find(item => item.path === path)
}

/** Installers link from one client's folder to another's. Such a skill is listed where it really lies. */
function withoutKnownLinks(skipped: readonly SkippedPath[], items: readonly ItemFile[]): SkippedPath[] {
  if (!skipped.some(({ reason }) => reason === 'symbolic-link')) return [...skipped]
  const folders = new Set(items.filter(({ type }) => type === 'skill').map(({ path }) => dirname(path)))
  return skipped.filter(({ path, reason }) => reason !== 'symbolic-link' || !folders.has(realPathOf(path)))
}

/** Empty for a link that leads nowhere. */
function realPathOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return ''
  }
}

interface RootListing {
  readonly root: ItemRoot
  readonly path: string
  readonly extractor: Extractor
  readonly files: readonly WalkedFile[]
  readonly items: ItemFile[]
  readonly skipped: SkippedPath[]
}

function listFiles(listing: RootListing): void {
  const { extractor, files } = listing
  for (const file of files) {
    const extension = extensionOf(file.path)
    if (extractor.extensions.includes(extension))
      addItem(listing, file.path.slice(0, -extension.length), extension, file)
    else if (!isDetachedSignature(file.path, extractor)) skipNonItem(listing, file)
  }
}

/** An item is the topmost folder that holds the item file; the other files below it are its parts. */
function listFolders(listing: RootListing): void {
  const { extractor, files } = listing
  const marked = new Set(
    files
      .filter(file => itemFileExtension(extractor, nameIn(file.path)) !== undefined)
      .map(file => folderIn(file.path)),
  )
  // Paths that this walk skipped may still belong to a folder item.
  const partial = new Set(
    listing.skipped.map(({ path }) => topmost(path.slice(listing.path.length + 1), marked)),
  )
  const parts = new Map<string, WalkedFile[]>()
  for (const file of files) {
    const folder = topmost(file.path, marked)
    if (folder === undefined) skipNonItem(listing, file)
    else if (parts.has(folder)) parts.get(folder)!.push(file)
    else parts.set(folder, [file])
  }
  for (const [folder, own] of parts) {
    const inside = new Map(own.map(file => [file.path.slice(folder.length + 1), file]))
    for (const { name, extension } of chooseItemFiles(extractor, inside.keys())) {
      const file = inside.get(name)!
      if (isUnderscored(folder))
        listing.skipped.push(
          skippedPath(
            `${listing.path}/${file.path}`,
            'skipped-name',
            'files with such names are not searched',
          ),
        )
      else {
        const whole = partial.has(folder) ? undefined : [...inside.keys()]
        addItem(listing, folder, extension, { ...stateOfFolder(own), path: file.path }, whole)
      }
    }
  }
}

function addItem(
  listing: RootListing,
  below: string,
  extension: string,
  file: WalkedFile,
  parts?: readonly string[],
): void {
  const { root, items, skipped } = listing
  const path = `${listing.path}/${file.path}`
  const id = (root.prefix ?? '') + below
  const problem = idProblem(id)
  if (problem !== undefined) {
    skipped.push(skippedPath(path, 'invalid-name', `the path is not an item id: ${problem}; rename it`))
    return
  }
  const { type, space, folder, base } = root
  const { size, mtimeMs, ctimeMs, inode } = file
  const state = { size, mtimeMs, ctimeMs, inode }
  items.push({ type, id, space, path, extension, folder, base, ...state, ...(parts && { parts }) })
}

function skipNonItem(listing: RootListing, file: WalkedFile): void {
  const { type } = listing.root
  listing.skipped.push(
    skippedPath(`${listing.path}/${file.path}`, 'not-an-item', `no ${type} has such a name`),
  )
}

// With a detached format, the signature of `NAME.EXT` is the file `NAME.EXT.sig`.
function isDetachedSignature(path: string, extractor: Extractor): boolean {
  if (extensionOf(path) !== '.sig') return false
  return extractor.signatureFormats.get(extensionOf(path.slice(0, -4)))?.detached === true
}

/** Changes when any file's state or name does. A number derived from all files serves as the inode. */
function stateOfFolder(files: readonly WalkedFile[]): FileState {
  return {
    size: files.reduce((total, file) => total + file.size, 0),
    mtimeMs: files.reduce((latest, file) => Math.max(latest, file.mtimeMs), 0),
    ctimeMs: files.reduce((latest, file) => Math.max(latest, file.ctimeMs), 0),
    inode: Number.parseInt(stampFiles(null, files).slice(0, 12), 16),
  }
}

function topmost(path: string, folders: ReadonlySet<string>): string | undefined {
  for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) {
    const folder = path.slice(0, slash)
    if (folders.has(folder)) return folder
  }
  return undefined
}

function nameIn(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function folderIn(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

function extensionOf(path: string): string {
  const dot = path.lastIndexOf('.')
  return dot > path.lastIndexOf('/') ? path.slice(dot) : ''
}
