// Yields the items of a folder's `.ai/` one by one, as a catalogue sync takes them. A library may be larger
// than memory, so each folder is listed separately.
import { basename, dirname, join } from 'node:path'
import { AppError } from '../../base/index.ts'
import { type CatalogueItem, type ItemToSync, isPlainPath } from '../../catalogue/index.ts'
import type { Extractors } from '../../extract/index.ts'
import { type FileState, isSettled, stateAt } from '../../files/index.ts'
import { type ItemType, isItemType } from '../../item/index.ts'
import {
  type ItemFile,
  type ItemRoot,
  type Listing,
  listItems,
  locate,
  WALK_LIMITS,
} from '../../scan/index.ts'
import { resolveSpaces } from '../../space/index.ts'
import type { Workspace } from '../types.ts'
import { BesideTools } from './beside-tools.ts'
import { makeItem, readFiles } from './make-item.ts'

export interface ItemProblem {
  readonly path: string
  readonly message: string
}

export interface ItemsOptions {
  /** Only these items, given by type and id. */
  readonly only?: readonly { readonly type: ItemType; readonly id: string }[] | undefined
  readonly onProblem: (problem: ItemProblem) => void
  /** Where an item came from, by `TYPE:ID`. */
  readonly originOf?: (name: string) => Pick<CatalogueItem, 'source' | 'commit'> | undefined
}

const TOO_DEEP = `only ${WALK_LIMITS.depth} levels are walked`
const NOTHING: ReadonlyMap<string, Uint8Array> = new Map()
/** Files that are not items and are not meant to be; not reported. */
const UNTOLD: ReadonlySet<string> = new Set(['not-an-item', 'skipped-name'])

/** The items of the workspace's project. */
export function* itemsToSync(workspace: Workspace, options: ItemsOptions): Generator<ItemToSync> {
  const { extractors } = workspace
  const beside = new BesideTools(extractors)
  const roots = workspace.roots.filter(({ space, type }) => space === 'project' && isItemType(type))
  if (options.only) {
    yield* theseItems(roots, { extractors, options, beside })
    return
  }
  for (const { items, skipped, startedAt } of listParts(roots, extractors)) {
    for (const { path, reason, message } of skipped)
      if (!UNTOLD.has(reason)) options.onProblem({ path, message })
    for (const { entry } of resolveSpaces(items, extractors).items)
      yield toSync(entry, { extractors, startedAt, options, beside })
  }
}

interface Part extends Pick<Listing, 'items' | 'skipped'> {
  readonly startedAt: number
}

/** Skills may lie in several folders, and one may replace another of its id, so they are walked together. */
function* listParts(roots: readonly ItemRoot[], extractors: Extractors): Generator<Part> {
  const isFolderItem = ({ type }: ItemRoot) => extractors.get(type)?.itemFile !== null
  yield { startedAt: Date.now(), ...listItems(roots.filter(isFolderItem), extractors) }
  for (const root of roots) if (!isFolderItem(root)) yield* listFolder(root, 0, extractors)
}

/** Lists the items directly in a folder, then those of each subfolder. */
function* listFolder(root: ItemRoot, depth: number, extractors: Extractors): Generator<Part> {
  const startedAt = Date.now()
  const { items, skipped } = listItems([root], extractors, { depth: 0 })
  const folders = skipped.filter(({ reason }) => reason === 'too-deep')
  const isDeepest = depth === WALK_LIMITS.depth
  const tooDeep = isDeepest ? folders.map(folder => ({ ...folder, message: TOO_DEEP })) : []
  yield { startedAt, items, skipped: [...skipped.filter(one => !folders.includes(one)), ...tooDeep] }
  if (isDeepest) return
  for (const { path } of folders) {
    const name = basename(path)
    const inside = { segments: [...root.segments, name], prefix: `${root.prefix ?? ''}${name}/` }
    yield* listFolder({ ...root, ...inside }, depth + 1, extractors)
  }
}

function* theseItems(
  roots: readonly ItemRoot[],
  { extractors, options, beside }: Omit<Place, 'startedAt'>,
): Generator<ItemToSync> {
  for (const { type, id } of options.only ?? []) {
    const startedAt = Date.now()
    const { found, skipped } = locate(roots, extractors, { type, id, space: 'project' })
    for (const { path, message } of skipped) options.onProblem({ path, message })
    const [first] = found
    if (first) yield toSync(first.entry, { extractors, startedAt, options, beside })
    // It exists but cannot be read, so its row stays.
    else if (skipped.length > 0) yield { type, id, stampLike: () => '', read: async () => undefined }
  }
}

interface Place {
  readonly beside: BesideTools
  readonly extractors: Extractors
  readonly startedAt: number
  readonly options: ItemsOptions
}

function toSync(file: ItemFile, { extractors, startedAt, options, beside }: Place): ItemToSync {
  const { type, id, path } = file
  return {
    type,
    id,
    stampLike: known => stampOf(file, besideIn(known), startedAt),
    async read() {
      try {
        const origin = options.originOf?.(`${type}:${id}`)
        const own = readFiles(file, extractors)
        const others = type === 'tool' ? beside.read(file, own.files) : NOTHING
        const item = { ...own, files: new Map([...own.files, ...others]) }
        const stamp = stampOf(file, [...others.keys()], startedAt)
        return { ...(await makeItem(item, extractors)), ...origin, stamp }
      } catch (thrown) {
        if (!(thrown instanceof AppError)) throw thrown
        options.onProblem({ path, message: thrown.message })
        return undefined
      }
    },
  }
}

/** The state of the item's file, then of each file beside it. Empty while one of them is not settled. */
function stampOf(file: ItemFile, beside: readonly string[], startedAt: number): string {
  const states = beside.map(path => stateAt(join(dirname(file.path), path)))
  if (![file, ...states].every(state => state && isSettled(state, startedAt))) return ''
  return [lineOf(file), ...beside.map((path, at) => `${lineOf(states[at]!)} ${path}`)].join('\n')
}

function lineOf({ size, mtimeMs, ctimeMs, inode }: FileState): string {
  return [size, mtimeMs, ctimeMs, inode].join(' ')
}

/**
 * The paths in a stamp. Anyone who can write to the table can put any path here, so only plain paths below
 * the item's folder are accepted, and only their state is looked at.
 */
function besideIn(stamp: string): string[] {
  const paths = stamp
    .split('\n')
    .slice(1)
    .map(line => line.split(' ').slice(4).join(' '))
  return paths.every(isPlainPath) ? paths : []
}
