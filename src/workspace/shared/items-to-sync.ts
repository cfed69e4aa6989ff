// The items of a folder's `.ai/`, one by one, as a sync of a catalogue takes them. A library may be larger than memory: each folder
// below that of a type is walked by itself.
import { dirname, join } from 'node:path'
import { AppError } from '../../base/index.ts'
import { type CatalogueItem, type ItemToSync, isPlainPath } from '../../catalogue/index.ts'
import type { Extractors } from '../../extract/index.ts'
import { type FileState, isSettled, openFolder, stateAt } from '../../files/index.ts'
import { type ItemType, isItemType } from '../../item/index.ts'
import { type ItemFile, type ItemRoot, listItems, locate } from '../../scan/index.ts'
import { resolveSpaces } from '../../space/index.ts'
import type { Workspace } from '../types.ts'
import { BesideTools } from './beside-tools.ts'
import { makeItem, readFiles } from './make-item.ts'

export interface ItemProblem {
  readonly path: string
  readonly message: string
}

export interface ItemsOptions {
  /** These alone, each as type and id. */
  readonly only?: readonly { readonly type: ItemType; readonly id: string }[] | undefined
  readonly onProblem: (problem: ItemProblem) => void
  /** Where an item came from, by `TYPE:ID`. */
  readonly originOf?: (name: string) => Pick<CatalogueItem, 'source' | 'commit'> | undefined
}

const NOTHING: ReadonlyMap<string, Uint8Array> = new Map()
/** Files that are no items, and are not meant to be. */
const UNTOLD: ReadonlySet<string> = new Set(['not-an-item', 'skipped-name'])

/** Of the workspace's project. */
export function* itemsToSync(workspace: Workspace, options: ItemsOptions): Generator<ItemToSync> {
  const { extractors } = workspace
  const beside = new BesideTools(extractors)
  const roots = workspace.roots.filter(({ space, type }) => space === 'project' && isItemType(type))
  if (options.only) {
    yield* theseItems(roots, { extractors, options, beside })
    return
  }
  for (const part of partsOf(roots, extractors)) {
    const { items, skipped } = listItems(part.roots, extractors, part.limits)
    const startedAt = Date.now()
    for (const { path, reason, message } of skipped) {
      const isExpected = UNTOLD.has(reason) || (part.limits.depth === 0 && reason === 'too-deep')
      if (!isExpected) options.onProblem({ path, message })
    }
    const prefixed =
      part.below === '' ? items : items.map(item => ({ ...item, id: `${part.below}/${item.id}` }))
    for (const { entry } of resolveSpaces(prefixed, extractors).items)
      yield toSync(entry, { extractors, startedAt, options, beside })
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
    // It is there, and cannot be read: its row stays.
    else if (skipped.length > 0) yield { type, id, stampLike: () => '', read: async () => undefined }
  }
}

interface Part {
  readonly roots: readonly ItemRoot[]
  /** What comes before the ids. */
  readonly below: string
  readonly limits: { readonly depth?: number }
}

/** Skills may lie in several folders, and one of an id takes the place of another: they are walked together. */
function* partsOf(roots: readonly ItemRoot[], extractors: Extractors): Generator<Part> {
  const isFolderItem = ({ type }: ItemRoot) => extractors.get(type)?.itemFile !== null
  yield { roots: roots.filter(isFolderItem), below: '', limits: {} }
  for (const root of roots) {
    if (isFolderItem(root)) continue
    yield { roots: [root], below: '', limits: { depth: 0 } }
    for (const name of foldersIn(root))
      yield { roots: [{ ...root, segments: [...root.segments, name] }], below: name, limits: {} }
  }
}

function foldersIn({ base, segments }: ItemRoot): string[] {
  try {
    const folder = openFolder(join(base, ...segments), base)
    try {
      return folder
        .names()
        .filter(name => /^[A-Za-z0-9][A-Za-z0-9_.-]*$/.test(name))
        .sort()
    } finally {
      folder.close()
    }
  } catch {
    // There is none, or it cannot be listed: the walk of the folder above has said so.
    return []
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

/** The state of the item's file, then a line for each file beside it. */
function stampOf(file: ItemFile, beside: readonly string[], startedAt: number): string {
  const states = beside.map(path => stateAt(join(dirname(file.path), path)))
  if (![file, ...states].every(state => state && isSettled(state, startedAt))) return ''
  return [lineOf(file), ...beside.map((path, at) => `${lineOf(states[at]!)} ${path}`)].join('\n')
}

function lineOf({ size, mtimeMs, ctimeMs, inode }: FileState): string {
  return [size, mtimeMs, ctimeMs, inode].join(' ')
}

/** Whoever can write to the table can put any path here: it is only looked at, and below the folder of the item. */
function besideIn(stamp: string): string[] {
  const paths = stamp
    .split('\n')
    .slice(1)
    .map(line => line.split(' ').slice(4).join(' '))
  return paths.every(isPlainPath) ? paths : []
}
