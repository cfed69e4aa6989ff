// Brings the index of a space up to date with its files. When a walk sees all as it was, that is all. Else files whose size,
// time and inode are as known are not read; touched files are compared by digest; what is gone is removed. Written in
// batches, so that a reader never waits long.

import { basename, relative } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { AppError, sha256Hex } from '../base/index.ts'
import { type Extractor, type Extractors, extractItem } from '../extract/index.ts'
import { readFile } from '../files/index.ts'
import type { Space } from '../item/index.ts'
import { type ItemFile, type ItemRoot, WALK_LIMITS, walkRoots } from '../scan/index.ts'
import type { IndexedItem, SearchIndex } from '../search/index.ts'
import { searchDocument } from '../search/index.ts'
import { type Duplicate, resolveSpaces } from '../space/index.ts'
import { readFolder } from './read-folder.ts'
import { withSkillText } from './skill-text.ts'
import type { Glances } from './types.ts'

export interface RefreshPlan {
  readonly space: Space
  /** Of items: settings are signed, but not searched. */
  readonly roots: readonly ItemRoot[]
  readonly extractors: Extractors
  /** Paths in the index are relative to this. */
  readonly base: string
}

export interface RefreshReport {
  readonly items: number
  readonly added: number
  readonly updated: number
  readonly deleted: number
  readonly unchanged: number
  readonly diagnostics: readonly IndexDiagnostic[]
}

export interface IndexDiagnostic {
  readonly path: string
  readonly code: string
  readonly message: string
}

export interface RefreshOptions {
  readonly signal?: AbortSignal
  readonly onProgress?: (done: number, total: number) => void
  /** What `lookAhead` saw before. */
  readonly glances?: Glances | undefined
}

/** Two chunks of the index: a smaller batch would write the lists of a chunk several times. */
const BATCH = 2048
/** Items between two turns of the event loop, so that other calls are answered meanwhile. */
const TURN = 64
const CLOCK_TICK_MS = 50

export async function refreshSpace(
  index: SearchIndex,
  plan: RefreshPlan,
  options: RefreshOptions = {},
): Promise<RefreshReport> {
  const { space, extractors, base } = plan
  const snapshot = index.snapshot(space)
  const seen = options.glances?.get(space)
  const glance = seen && underPlan(seen, plan)
  if (snapshot && glance && snapshot.glance === glance) return JSON.parse(snapshot.note)
  const walked = walkRoots(plan.roots, extractors)
  const stamps = stampsOf(extractors)
  const stamp = walked.stamp && underPlan(walked.stamp, plan)
  if (snapshot && snapshot.stamp === stamp) {
    if (glance) index.keepGlance(space, stamp, glance)
    return JSON.parse(snapshot.note)
  }
  const listing = walked.list()
  const { items, duplicates } = resolveSpaces(listing.items, extractors)
  const files = items.map(({ entry }) => entry)
  const known = index.known(space)
  const present = new Map(files.map(file => [below(base, file.path), file]))
  const changed = [...present].filter(([path, file]) => !isUnchanged(known.get(path), file, stamps))
  const remove = [...known.keys()].filter(path => !present.has(path))
  const diagnostics: IndexDiagnostic[] = [
    ...listing.passed.map(({ path, reason, message }) => ({ path, code: reason, message })),
    ...duplicates.map(describeDuplicate),
  ]
  const totals = { added: 0, updated: 0, deleted: 0, unchanged: files.length - changed.length }
  const apply = (upsert: readonly IndexedItem[], gone: readonly string[]) => {
    if (upsert.length === 0 && gone.length === 0) return
    const applied = index.apply(space, { upsert, remove: gone })
    totals.added += applied.added
    totals.updated += applied.updated
    totals.deleted += applied.removed
    totals.unchanged += applied.touched
  }

  apply([], remove)
  let unread = 0
  let done = 0
  while (done < changed.length) {
    const batch = changed.slice(done, done + BATCH)
    const upsert: IndexedItem[] = []
    for (const [number, [path, file]] of batch.entries()) {
      if (number % TURN === 0) {
        options.signal?.throwIfAborted()
        options.onProgress?.(done + number, changed.length)
        await nextTurn()
      }
      const read = await indexItem(path, file, extractors, stamps)
      if ('item' in read) upsert.push(read.item)
      else {
        unread++
        diagnostics.push(read.problem)
      }
    }
    apply(upsert, [])
    done += batch.length
    options.onProgress?.(done, changed.length)
  }
  // What could not be read is tried again each time: a change of permissions is no change of the file.
  if (stamp !== undefined && unread === 0) {
    const note = {
      added: 0,
      updated: 0,
      deleted: 0,
      items: files.length,
      unchanged: files.length,
      diagnostics,
    }
    index.keepSnapshot(space, { stamp, note: JSON.stringify(note), ...(glance && { glance }) })
  }
  return { ...totals, items: files.length, diagnostics }
}

/** Whether a space looked, before, as it did when all of it was indexed. */
export function isAsSeen(index: SearchIndex, plan: RefreshPlan, glances: Glances): boolean {
  const seen = glances.get(plan.space)
  return seen !== undefined && index.snapshot(plan.space)?.glance === underPlan(seen, plan)
}

/** An index depends on its extractors too, and on where its paths begin. */
function underPlan(seen: string, { base, extractors }: RefreshPlan): string {
  return sha256Hex(JSON.stringify([seen, base, [...stampsOf(extractors)]]))
}

function below(base: string, path: string): string {
  return path.startsWith(`${base}/`) ? path.slice(base.length + 1) : relative(base, path)
}

type Stamps = ReadonlyMap<string, string>

/** An item's document depends on its extractor too: a changed extractor reads every file of its type again. */
function stampsOf(extractors: Extractors): Stamps {
  return new Map([...extractors].map(([type, extractor]) => [type, stampOf(extractor)]))
}

/** Extractors are read once and shared by spaces and refreshes. */
const STAMPS = new WeakMap<Extractor, string>()

function stampOf(extractor: Extractor): string {
  const known = STAMPS.get(extractor)
  if (known !== undefined) return known
  const printed = JSON.stringify(extractor, (_key, value) => (value instanceof Map ? [...value] : value))
  const stamp = sha256Hex(printed).slice(0, 8)
  STAMPS.set(extractor, stamp)
  return stamp
}

function isUnchanged(
  known: { size: number; mtimeMs: number; inode: number; hash: string } | undefined,
  file: ItemFile,
  stamps: Stamps,
): boolean {
  return (
    known !== undefined &&
    known.size === file.size &&
    known.mtimeMs === file.mtimeMs &&
    known.inode === file.inode &&
    known.hash.endsWith(`-${stamps.get(file.type)}`)
  )
}

async function indexItem(
  path: string,
  file: ItemFile,
  extractors: Extractors,
  stamps: Stamps,
): Promise<{ item: IndexedItem } | { problem: IndexDiagnostic }> {
  try {
    const extractor = extractors.get(file.type)
    if (!extractor) throw new Error(`unreachable: no extractor for ${file.type}`)
    const { id, extension, size, mtimeMs, inode } = file
    const parts = extractor.itemFile === null ? undefined : readFolder(file)
    const bytes = parts
      ? parts.get(basename(file.path))
      : readFile(file.path, { maxBytes: WALK_LIMITS.fileBytes })?.bytes
    if (!bytes) return { problem: { path: file.path, code: 'vanished', message: 'the file went away' } }
    const plain = await extractItem(extractor, { id, extension, bytes, outline: true })
    const parsed = parts ? await withSkillText(plain, parts) : plain
    const hash = `${parts ? digestOf(parts) : sha256Hex(bytes)}-${stamps.get(file.type)}`
    const facts = { size, inode, mtimeMs: isSettled(mtimeMs) ? mtimeMs : 0 }
    return { item: { path, ...facts, hash, extension, document: searchDocument(parsed) } }
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    return { problem: { path: file.path, code: thrown.code.toLowerCase(), message: thrown.message } }
  }
}

/** Of every file of a folder item, by name. */
function digestOf(parts: ReadonlyMap<string, Uint8Array>): string {
  return sha256Hex([...parts].map(([path, bytes]) => `${sha256Hex(bytes)} ${path}\n`).join(''))
}

/** A file written just now may be written again within the same tick of the clock: it is looked at once more. */
function isSettled(mtimeMs: number): boolean {
  return Date.now() - mtimeMs > CLOCK_TICK_MS
}

function describeDuplicate({ entry, message }: Duplicate<ItemFile>): IndexDiagnostic {
  return { path: entry.path, code: 'duplicate-id', message }
}
