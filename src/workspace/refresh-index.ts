// Brings the index of a space up to date with its files. When a stamp says that nothing was written, that is all. Otherwise
// files in the state that the index knows are not read; the others are compared by content; missing ones are removed. Written
// in batches, so that a reader never waits long.
import { relative } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sha256Hex } from '../base/index.ts'
import type { Extractors } from '../extract/index.ts'
import type { Space } from '../item/index.ts'
import { type ItemRoot, type WalkedRoots, walkRoots } from '../scan/index.ts'
import {
  type Changes,
  Draft,
  type LocalEmbedder,
  type SearchIndex,
  type TouchedFile,
} from '../search/index.ts'
import { resolveSpaces } from '../space/index.ts'
import { digestExtractors } from './extractor-digest.ts'
import {
  type FoundFile,
  type IndexDiagnostic,
  isIndexed,
  type ReadChange,
  readChanged,
} from './read-changed.ts'
import type { SpaceStamps } from './types.ts'

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

export interface RefreshOptions {
  readonly signal?: AbortSignal
  readonly onProgress?: (done: number, total: number) => void
  /** What `stampSpaces` gave, before the refresh began. */
  readonly stamps?: SpaceStamps | undefined
  /** Asked when there is something to write; makes the vectors of new items. */
  readonly embedder?: () => LocalEmbedder | undefined
}

/** The first items can be found soon; after that the larger the batch, the fewer lists of words there are to write, and to read in a search. */
const FIRST_BATCH = 1024
/** What a batch takes in memory until it is written. */
const BATCH_BYTES = 16_000_000
/** Items between two turns of the event loop, so that other calls are answered meanwhile. */
const TURN = 16

export async function refreshSpace(
  index: SearchIndex,
  plan: RefreshPlan,
  options: RefreshOptions = {},
): Promise<RefreshReport> {
  const { space } = plan
  const last = index.lastRefresh(space)
  const findStamp = stampUnder(plan, options.stamps?.get(space))
  if (last && findStamp && last.findStamp === findStamp) return JSON.parse(last.report)
  const walked = walkRoots(plan.roots, plan.extractors)
  const walkStamp = stampUnder(plan, walked.stamp)
  if (last && last.walkStamp === walkStamp) {
    if (findStamp) index.keepFindStamp(space, { walkStamp, findStamp })
    return JSON.parse(last.report)
  }
  const found = compareWithIndex(index, plan, walked)
  const writer = new BatchWriter(index, space, options.embedder)
  writer.remove(found.gone)
  const problems = await writeChanged(writer, plan, { ...found, ...options })
  const { items } = found
  const diagnostics = [...found.diagnostics, ...problems]
  // What could not be read is tried again each time: new permissions do not show in the content.
  if (walkStamp !== undefined && problems.length === 0) {
    const report = { added: 0, updated: 0, deleted: 0, items, unchanged: items, diagnostics }
    index.keepRefresh(space, { walkStamp, ...(findStamp && { findStamp }), report: JSON.stringify(report) })
  }
  const { added, updated, deleted, touched } = writer.totals
  const unchanged = items - found.changed.length + touched
  return { added, updated, deleted, items, unchanged, diagnostics }
}

/** Whether the files of a space have the stamp under which all of them were indexed. */
export function isSpaceUnchanged(index: SearchIndex, plan: RefreshPlan, stamps: SpaceStamps): boolean {
  const stamp = stampUnder(plan, stamps.get(plan.space))
  return stamp !== undefined && index.lastRefresh(plan.space)?.findStamp === stamp
}

/** An index depends on its extractors too, and on where its paths begin. */
function stampUnder({ base, extractors }: RefreshPlan, stamp: string | undefined): string | undefined {
  return stamp && sha256Hex(JSON.stringify([stamp, base, [...digestExtractors(extractors)]]))
}

interface Comparison {
  readonly items: number
  readonly changed: readonly FoundFile[]
  /** Paths in the index that have no file any more. */
  readonly gone: readonly string[]
  readonly diagnostics: readonly IndexDiagnostic[]
}

function compareWithIndex(index: SearchIndex, plan: RefreshPlan, walked: WalkedRoots): Comparison {
  const { space, extractors, base } = plan
  const listing = walked.list()
  const { items, duplicates } = resolveSpaces(listing.items, extractors)
  const known = index.known(space)
  const found = items.map(({ entry: file }): FoundFile => {
    const path = pathBelow(base, file.path)
    return { path, file, known: known.get(path) }
  })
  const present = new Set(found.map(({ path }) => path))
  return {
    items: found.length,
    // By size, so that copies follow each other: a text that was just read is not read again.
    changed: found.filter(one => !isIndexed(one, extractors)).sort((a, b) => a.file.size - b.file.size),
    gone: [...known.keys()].filter(path => !present.has(path)),
    diagnostics: [
      ...listing.skipped.map(({ path, reason, message }) => ({ path, code: reason, message })),
      ...duplicates.map(({ entry, message }) => ({ path: entry.path, code: 'duplicate-id', message })),
    ],
  }
}

interface ChangedFiles extends Pick<RefreshOptions, 'signal' | 'onProgress'> {
  readonly changed: readonly FoundFile[]
}

/** Reads and writes changed files in batches; gives what could not be read. */
async function writeChanged(
  writer: BatchWriter,
  { extractors }: RefreshPlan,
  { changed, signal, onProgress }: ChangedFiles,
): Promise<IndexDiagnostic[]> {
  const problems: IndexDiagnostic[] = []
  for (const [number, found] of changed.entries()) {
    if (number % TURN === 0) {
      signal?.throwIfAborted()
      onProgress?.(number, changed.length)
      await nextTurn()
    }
    const change = await readChanged(found, extractors)
    if ('problem' in change) problems.push(change.problem)
    else writer.add(change)
    if (number + 1 === FIRST_BATCH) writer.flush()
  }
  writer.flush()
  if (changed.length > 0) onProgress?.(changed.length, changed.length)
  return problems
}

/** Writes to one space, and counts. */
class BatchWriter {
  readonly #index: SearchIndex
  readonly #space: Space
  readonly #embedder: RefreshOptions['embedder']
  #draft: Draft | undefined
  #touched: TouchedFile[] = []
  readonly totals = { added: 0, updated: 0, deleted: 0, touched: 0 }

  constructor(index: SearchIndex, space: Space, embedder: RefreshOptions['embedder']) {
    this.#index = index
    this.#space = space
    this.#embedder = embedder
  }

  add(change: Exclude<ReadChange, { readonly problem: unknown }>): void {
    if ('touched' in change) {
      this.#touched.push(change.touched)
      return
    }
    this.#draft ??= new Draft(this.#embedder?.())
    this.#draft.add(change.item)
    if (this.#draft.isFull || this.#draft.bytes > BATCH_BYTES) this.flush()
  }

  flush(): void {
    this.#write({ upsert: this.#draft ?? [], touch: this.#touched, remove: [] })
  }

  remove(paths: readonly string[]): void {
    this.#write({ upsert: [], remove: paths })
  }

  #write(changes: Changes): void {
    const draft = this.#draft
    this.#draft = undefined
    this.#touched = []
    if (!draft && !changes.touch?.length && changes.remove.length === 0) return
    const applied = this.#index.apply(this.#space, changes, draft?.embedder)
    this.totals.added += applied.added
    this.totals.updated += applied.updated
    this.totals.deleted += applied.removed
    this.totals.touched += applied.touched
  }
}

function pathBelow(base: string, path: string): string {
  return path.startsWith(`${base}/`) ? path.slice(base.length + 1) : relative(base, path)
}
