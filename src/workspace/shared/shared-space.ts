// The shared space: items of a catalogue, ranked below the user's and above the package's. It is read-only.
// An item that is used is first put into the cache; from there on it is a file like any other, found, read,
// verified and remembered by the same code.
import { AppError } from '../../base/index.ts'
import {
  askCatalogue,
  type Candidate,
  type FoundCandidates,
  type ItemsTable,
  MAX_ITEM_BYTES,
  outdatedWarning,
} from '../../catalogue/index.ts'
import { ITEM_TYPES, type ItemType, isItemType } from '../../item/index.ts'
import type { ItemRoot } from '../../scan/index.ts'
import { DocumentReader, type SearchRequest } from '../../search/index.ts'
import type { FindRequest } from '../find-item.ts'
import { LateAnswers, within } from '../late-answers.ts'
import { isAway, Presence } from './away.ts'
import { isVerified, openCandidate } from './check-candidate.ts'
import { mainFileOf, type ReadingView } from './item-files.ts'
import { type CachedName, ObjectCache } from './object-cache.ts'
import { readCached } from './read-cached.ts'

export interface SharedSpaceOptions {
  readonly uri: string
  readonly cacheRoot: string
  readonly table: ItemsTable
  readonly now: () => Date
}

export interface Brought {
  /** One root per item. */
  readonly roots: readonly ItemRoot[]
  /** Types for which the catalogue has only a row that cannot be used, and what is wrong with it. */
  readonly damaged: readonly { readonly type: ItemType; readonly cause: AppError }[]
  readonly warning?: string
}

/** How long `load` and `execute` wait for a catalogue before they take the cached item. */
const BRING_MS = 5000
/** How long a late answer is kept for the next search. */
const KEPT_MS = 30_000
/** How many cached items take part in a search. */
const MOST_CACHED_HITS = 200
/** Rows of one id whose files, too large for the row, are fetched in search of a usable one. */
const MOST_FETCHED = 8

export class SharedSpace {
  readonly uri: string
  /** Remembers the candidates of one search for the next. */
  readonly reader = new DocumentReader()
  readonly #table: ItemsTable
  readonly #cache: ObjectCache
  readonly #now: () => Date
  readonly #late = new LateAnswers<FoundCandidates>(KEPT_MS)
  readonly #presence = new Presence()
  #kept: { readonly until: number; readonly found: Promise<FoundCandidates> } | undefined

  constructor({ uri, cacheRoot, table, now }: SharedSpaceOptions) {
    this.uri = uri
    this.#table = table
    this.#cache = new ObjectCache(cacheRoot, uri)
    this.#now = now
  }

  /** This catalogue's folder in the cache. */
  get folder(): string {
    return this.#cache.folder
  }

  /**
   * Brings the items of an id into the cache. If the catalogue does not answer, takes those cached before.
   */
  async bring({ id, type }: FindRequest, view: ReadingView): Promise<Brought> {
    if (type !== undefined && !isItemType(type)) return { roots: [], damaged: [] }
    try {
      this.#presence.check()
      const { rows, outdated } = await this.#presence.watch(() => within(this.#find({ type, id }), BRING_MS))
      const types: readonly ItemType[] = type ? [type] : ITEM_TYPES
      const roots: ItemRoot[] = []
      const damaged: { type: ItemType; cause: AppError }[] = []
      for (const one of types) {
        const chosen = await this.#choose(
          rows.filter(row => row.type === one),
          view,
        )
        if (!chosen) {
          this.#cache.forget({ type: one, id })
          continue
        }
        try {
          roots.push(await this.#keep(chosen, view))
        } catch (thrown) {
          // The catalogue did answer. If its answer cannot be used, the cache must not stand in for it.
          if (!(thrown instanceof AppError) || thrown.code !== 'ITEM_MALFORMED') throw thrown
          damaged.push({ type: one, cause: thrown })
        }
      }
      return { roots, damaged, ...(outdated > 0 && { warning: outdatedWarning(outdated) }) }
    } catch (thrown) {
      if (!isAway(thrown)) throw thrown
      return this.#recall({ id, ...(type && { type }) }, thrown)
    }
  }

  /** The cached items of an id, without asking the catalogue. */
  atHand(request: FindRequest): Brought {
    return { roots: this.#known(request).map(name => this.#cache.rootOf(name)), damaged: [] }
  }

  /**
   * Asks for candidates of a search. The returned function waits for the answer as long as its caller says,
   * then throws `REMOTE_FAILED`. Asking the same question again finds an answer that came too late.
   */
  ask(
    request: SearchRequest,
    vector: Float32Array | undefined,
  ): (waitMs: number, late?: AppError) => Promise<FoundCandidates> {
    const { text, match, scope, fuzzy } = request
    const key = JSON.stringify([text, match, scope, fuzzy])
    const ask = () => this.#presence.watch(() => askCatalogue(this.#table, request, vector))
    const started = performance.now()
    try {
      this.#presence.check()
    } catch (thrown) {
      return () => Promise.reject(thrown)
    }
    const asked = this.#late.ask(key, ask)
    return async (waitMs, late) => {
      try {
        const answer = await within(asked, waitMs, late)
        this.#late.forget(key)
        return answer
      } catch (thrown) {
        this.#presence.failed(thrown, performance.now() - started)
        throw thrown
      }
    }
  }

  /** The most recently used cached items as candidates, for when the catalogue does not answer. */
  async cached(view: ReadingView): Promise<FoundCandidates> {
    const now = performance.now()
    if (!this.#kept || this.#kept.until < now)
      this.#kept = { until: now + KEPT_MS, found: this.#readCache(view) }
    return this.#kept.found
  }

  async #readCache({ sharedExtractors }: ReadingView): Promise<FoundCandidates> {
    const candidates: Candidate[] = []
    for (const name of this.#cache.names(MOST_CACHED_HITS)) {
      try {
        candidates.push(await readCached(this.#cache.rootOf(name), name, sharedExtractors))
      } catch (thrown) {
        // Damaged, or deleted meanwhile. It is fetched again when the catalogue is back.
        if (!(thrown instanceof AppError)) throw thrown
      }
    }
    return { candidates, statistics: { documents: candidates.length, holders: new Map() }, outdated: 0 }
  }

  /** An answer shows that the catalogue is back, even if its caller has already given up. */
  #find(name: { readonly type: ItemType | undefined; readonly id: string }) {
    const found = this.#table.find(name)
    found.then(
      () => this.#presence.answered(),
      () => {},
    )
    return found
  }

  /**
   * Anybody who may write to the catalogue can add rows of any id: unusable ones must not hide usable ones.
   */
  async #choose(rows: readonly Candidate[], view: ReadingView): Promise<Candidate | undefined> {
    if (rows.length < 2) return rows[0]
    let fetched = 0
    for (const row of rows) {
      if (!row.bytes && ++fetched > MOST_FETCHED) continue
      const whole = row.bytes ? row : { ...row, bytes: await this.#bytesOf(row) }
      if (isVerified(view, whole)) return whole
    }
    return rows[0]
  }

  async #bytesOf({ digest, bytes }: Candidate): Promise<Uint8Array | null> {
    return bytes ?? (await within(this.#table.object(digest), BRING_MS)) ?? null
  }

  async #keep(row: Candidate, view: ReadingView): Promise<ItemRoot> {
    const { type, id, digest } = row
    if (!this.#cache.has(row)) {
      const bytes = await this.#bytesOf(row)
      if (!bytes || bytes.length > MAX_ITEM_BYTES)
        throw new AppError('REMOTE_FAILED', `the catalogue lists \`${type}:${id}\` but has no files of it`, {
          hint: `sync it again: \`rye catalogue sync --item ${type}:${id}\``,
        })
      const files = openCandidate(row, bytes)
      mainFileOf(files, view.sharedExtractors)
      this.#cache.put(digest, files)
    }
    this.#cache.note({ type, id, digest, at: this.#now().getTime() })
    return this.#cache.rootOf(row)
  }

  #known({ id, type }: FindRequest): CachedName[] {
    const types = ITEM_TYPES.filter(one => type === undefined || one === type)
    return types.flatMap(one => this.#cache.recall({ type: one, id }) ?? [])
  }

  #recall(request: FindRequest, cause: AppError): Brought {
    const known = this.#known(request)
    const first = known[0]
    const said = `the catalogue did not answer: ${cause.message}`
    return {
      roots: known.map(name => this.#cache.rootOf(name)),
      damaged: [],
      warning: first
        ? `${said}; \`${request.id}\` is as it was on ${new Date(first.at).toISOString()}`
        : said,
    }
  }
}
