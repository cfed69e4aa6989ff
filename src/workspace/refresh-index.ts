// Brings the index of a space up to date with its files. If a stamp says that nothing was written, that is
// all. If `find` says which files were written, and that no name changed, only their items are looked at.
// Otherwise everything is walked: files whose state the index knows are not read, others are compared by
// content, missing ones are removed. Written in batches, so that a reader never waits long.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isSettled } from '../files/index.ts'
import type { Space } from '../item/index.ts'
import { type FoundRoots, stampFound, type WalkedRoots, walkRoots } from '../scan/index.ts'
import {
  type Changes,
  Draft,
  type LocalEmbedder,
  type SearchIndex,
  type TouchedFile,
} from '../search/index.ts'
import { resolveSpaces } from '../space/index.ts'
import { editedItems, packScan, pathBelow, unpackScan } from './kept-scan.ts'
import {
  type FoundFile,
  type IndexDiagnostic,
  isIndexed,
  type ReadChange,
  RecentItems,
  readChanged,
} from './read-changed.ts'
import { type RefreshPlan, rulesOf, stampUnder } from './refresh-plan.ts'
import type { FoundSpaces } from './types.ts'

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
  /** The result of `findSpaces` from before the refresh began. */
  readonly found?: FoundSpaces | undefined
  /** Called when there is something to write; makes the vectors of new items. */
  readonly embedder?: () => LocalEmbedder | undefined
}

/**
 * A small first batch lets the first items be found soon. After that, larger batches mean fewer word lists to
 * write, and to read in a search.
 */
const FIRST_BATCH = 1024
/** Memory that a batch may take before it is written. */
const BATCH_BYTES = 16_000_000
/** Items between two turns of the event loop, so that other calls are answered in between. */
const TURN = 16

export async function refreshSpace(
  index: SearchIndex,
  plan: RefreshPlan,
  options: RefreshOptions = {},
): Promise<RefreshReport> {
  const { space } = plan
  const last = index.lastRefresh(space)
  const found = options.found?.get(space)
  const findStamp = found && stampUnder(plan, stampFound(found))
  if (last && findStamp && last.findStamp === findStamp) return JSON.parse(last.report)
  const edited = found && compareLooks(index, plan, found)
  const walked = edited ? undefined : walkRoots(plan.roots, plan.extractors)
  const walkStamp = walked && stampUnder(plan, walked.stamp)
  if (last && walkStamp && last.walkStamp === walkStamp) {
    if (findStamp) index.keepFindStamp(space, { walkStamp, findStamp })
    return JSON.parse(last.report)
  }
  // The amount of work is not known yet, but comparing takes time too.
  options.onProgress?.(0, 0)
  const compared = edited ?? compareWithIndex(index, plan, walked!)
  const writer = new BatchWriter(index, space, options.embedder)
  writer.remove(compared.gone)
  const startedAt = Date.now()
  const problems = await writeChanged(writer, plan, { ...compared, ...options })
  const { items, changed } = compared
  const diagnostics = [...compared.diagnostics, ...problems]
  // Unreadable files are tried again each time, as new permissions do not show in the content.
  if (problems.length === 0) {
    const isComplete = edited
      ? changed.every(({ file }) => isSettled(file, startedAt))
      : walkStamp !== undefined
    if (isComplete) {
      const report = { added: 0, updated: 0, deleted: 0, items, unchanged: items, diagnostics }
      const stamps = { ...(walkStamp && { walkStamp }), ...(findStamp && { findStamp }) }
      index.keepRefresh(space, { ...stamps, report: JSON.stringify(report) })
    }
    if (found) index.keepScan(space, packScan({ rules: rulesOf(plan), found, items, diagnostics }))
  }
  const { added, updated, deleted, touched } = writer.totals
  const unchanged = items - changed.length + touched
  return { added, updated, deleted, items, unchanged, diagnostics }
}

interface Comparison {
  readonly items: number
  readonly changed: readonly FoundFile[]
  /** Paths in the index whose file is gone. */
  readonly gone: readonly string[]
  readonly diagnostics: readonly IndexDiagnostic[]
}

/** Compares what `find` found now and at the last refresh. Undefined when a walk is needed. */
function compareLooks(index: SearchIndex, plan: RefreshPlan, now: FoundRoots): Comparison | undefined {
  const kept = index.lastScan(plan.space)
  const scan = kept && unpackScan(kept, rulesOf(plan))
  const changed =
    scan &&
    editedItems(plan, {
      before: scan.found,
      now,
      known: index.knownFew(plan.space),
      allPaths: () => index.known(plan.space).keys(),
    })
  return changed && { items: scan.items, changed, gone: [], diagnostics: scan.diagnostics }
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
    // Sorted by size, so that copies follow each other and a text that was just parsed is not parsed again.
    changed: found.filter(one => !isIndexed(one, extractors)).sort((a, b) => a.file.size - b.file.size),
    gone: [...known.keys()].filter(path => !present.has(path)),
    // Skipped files of the package are not reported: the user could not do anything about them.
    diagnostics: [
      ...(space === 'system' ? [] : listing.skipped).map(({ path, reason, message }) => ({
        path,
        code: reason,
        message,
      })),
      ...duplicates.map(({ entry, message }) => ({ path: entry.path, code: 'duplicate-id', message })),
    ],
  }
}

interface ChangedFiles extends Pick<RefreshOptions, 'signal' | 'onProgress'> {
  readonly changed: readonly FoundFile[]
}

/** Reads and writes changed files in batches. Returns the problems of unreadable files. */
async function writeChanged(
  writer: BatchWriter,
  { extractors }: RefreshPlan,
  { changed, signal, onProgress }: ChangedFiles,
): Promise<IndexDiagnostic[]> {
  const problems: IndexDiagnostic[] = []
  const recent = new RecentItems()
  for (const [number, found] of changed.entries()) {
    if (number % TURN === 0) {
      signal?.throwIfAborted()
      onProgress?.(number, changed.length)
      await nextTurn()
    }
    const change = await readChanged(found, extractors, recent)
    if ('problem' in change) problems.push(change.problem)
    else writer.add(change)
    if (number + 1 === FIRST_BATCH) writer.flush()
  }
  writer.flush()
  if (changed.length > 0) onProgress?.(changed.length, changed.length)
  return problems
}

/** Writes to one space, and counts what was written. */
class BatchWriter {
  readonly #index: SearchIndex
  readonly #space: Space
  readonly #embedder: RefreshOptions['embedder']
  #draft: Draft | undefined
  #next: Draft | undefined
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
    this.#draft ??= this.#next ?? new Draft(this.#embedder?.())
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
    this.#next = draft?.next()
    this.totals.added += applied.added
    this.totals.updated += applied.updated
    this.totals.deleted += applied.removed
    this.totals.touched += applied.touched
  }
}
