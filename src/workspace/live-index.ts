// The index of one project, kept up to date: before a search it checks whether anything may have changed. A
// server watches the folders; a single command checks once.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { AppError } from '../base/index.ts'
import { OWN_SPACES, type Space } from '../item/index.ts'
import { type RootWatch, realPath, watchRoots } from '../scan/index.ts'
import type { Embedded, Embedder, LocalEmbedder } from '../search/index.ts'
import {
  type EmbedBounds,
  isBusy,
  isOutOfSpace,
  type OpenSpace,
  openIndex,
  Pace,
  type SearchAnswer,
  type SearchIndex,
  type SearchRequest,
} from '../search/index.ts'
import { lookAnew } from './change-check.ts'
import { indexLocations, prebuiltIndexes } from './index-location.ts'
import { readMeaning } from './meaning.ts'
import type { RefreshOptions, RefreshReport } from './refresh-index.ts'
import { isSpaceUnchanged, type RefreshPlan } from './refresh-plan.ts'
import type { FoundSpaces, Workspace } from './types.ts'

export interface LiveIndexOptions {
  /** Whether to watch the folders between searches, in a process that keeps running. */
  readonly watch: boolean
}

export class LiveIndex {
  readonly #index: SearchIndex
  readonly #watch: RootWatch | undefined
  #refreshing: Promise<RefreshReport> | undefined
  #following: Promise<RefreshReport> | undefined
  #fresh = false

  static async open(workspace: Workspace, options: LiveIndexOptions): Promise<LiveIndex> {
    const locate = () => indexLocations(workspace.library, workspace.projectPath)
    const index = await openIndex(locate(), { locate, prebuilt: prebuiltIndexes() })
    return new LiveIndex(index, options.watch ? watchRoots() : undefined)
  }

  private constructor(index: SearchIndex, watch: RootWatch | undefined) {
    this.#index = index
    this.#watch = watch
  }

  /** Whether the process keeps running after this call, so that work can go on in the background. */
  get isWatching(): boolean {
    return this.#watch !== undefined
  }

  /**
   * Brings the index up to date with everything written before the call. A running refresh may have missed
   * the latest changes, so callers that arrive during it share the next one.
   */
  refresh(workspace: Workspace, options: RefreshOptions = {}): Promise<RefreshReport> {
    if (!this.#refreshing) return this.#start(workspace, options)
    this.#following ??= this.#follow(this.#refreshing, workspace, options)
    return this.#following
  }

  #start(workspace: Workspace, options: RefreshOptions): Promise<RefreshReport> {
    this.#refreshing = this.#refresh(workspace, options).finally(() => {
      this.#refreshing = undefined
    })
    return this.#refreshing
  }

  async #follow(
    running: Promise<RefreshReport>,
    workspace: Workspace,
    options: RefreshOptions,
  ): Promise<RefreshReport> {
    const report = await running.catch(() => undefined)
    const isEnough = report !== undefined && (await this.isFresh())
    this.#following = undefined
    // Others wait for the same refresh, and their changes may be later than this caller's `found`.
    return isEnough ? report : this.#start(workspace, { ...options, found: undefined })
  }

  /** True when nothing can have changed since the last refresh. */
  async isFresh(): Promise<boolean> {
    if (!this.#watch || !this.#fresh) return false
    // Events of changes made before this call are already queued; this lets the event loop deliver them.
    await nextTurn()
    await nextTurn()
    return !this.#watch.isDirty()
  }

  /** Whether the files have the stamps under which all of them were indexed. */
  isUnchanged(workspace: Workspace, found: FoundSpaces): boolean {
    return OWN_SPACES.every(space => isSpaceUnchanged(this.#index, planOf(workspace, space), found))
  }

  /** `guest` is a space of candidates from a catalogue. */
  search(request: SearchRequest, guest?: OpenSpace): SearchAnswer {
    return this.#index.search(request, guest)
  }

  /** Makes the vectors of items that were indexed while meaning was off. */
  complete(embedder: LocalEmbedder): void {
    this.#index.complete(embedder)
  }

  /** Embeds items without a fitting vector, within the bounds, until a provider fails. */
  async embed(embedder: Embedder, bounds: EmbedBounds): Promise<Embedded> {
    const total = await this.#countWithout(embedder, bounds)
    const pace = new Pace()
    let [embedded, missing] = [0, 0]
    let problem: Embedded['problem']
    for (const space of OWN_SPACES) {
      const before = embedded
      const onProgress = (done: number) => bounds.onProgress?.(before + done, total)
      const rest = problem && { lastStart: Number.NEGATIVE_INFINITY }
      const part = await this.#index.embed(space, embedder, { ...bounds, pace, onProgress, ...rest })
      embedded += part.embedded
      missing += part.missing
      problem ??= part.problem
    }
    return { embedded, missing, ...(problem && { problem }) }
  }

  async #countWithout(embedder: Embedder, bounds: EmbedBounds): Promise<number> {
    const none = { ...bounds, lastStart: Number.NEGATIVE_INFINITY }
    const parts = await Promise.all(OWN_SPACES.map(space => this.#index.embed(space, embedder, none)))
    return parts.reduce((sum, { missing }) => sum + missing, 0)
  }

  /** Empties the index: the next refresh reads all files again. */
  clear(): void {
    this.#index.clear()
    this.#fresh = false
  }

  /** Makes the next refresh compare the files even without a reported change, as the index lost items. */
  invalidate(): void {
    this.#fresh = false
  }

  close(): void {
    this.#watch?.close()
    this.#index.close()
  }

  async #refresh(workspace: Workspace, options: RefreshOptions): Promise<RefreshReport> {
    this.#fresh = false
    this.#watch?.rearm(workspace.roots)
    const reports: RefreshReport[] = []
    const meaning = await readMeaning(workspace.library)
    const found = options.found ?? (await lookAnew(workspace.library, workspace.projectPath))
    const embedding = { ...options, found, embedder: () => meaning.builtIn?.().embedder }
    for (const space of OWN_SPACES) {
      reports.push(await this.#refreshSpace(planOf(workspace, space), embedding))
    }
    this.#fresh = true
    return join(reports)
  }

  /** On a full disk the index is kept in memory, so that searches still work. */
  async #refreshSpace(plan: RefreshPlan, options: RefreshOptions): Promise<RefreshReport> {
    const { refreshSpace } = await import('./refresh-index.ts')
    try {
      return await refreshSpace(this.#index, plan, options)
    } catch (thrown) {
      if (isBusy(thrown)) {
        throw new AppError('WRITE_FAILED', 'another process has been writing the index for seconds', {
          hint: 'try again when it is done; one that was stopped or hangs must be ended',
          cause: thrown,
        })
      }
      if (!isOutOfSpace(thrown)) throw thrown
      this.#index.keepInMemory(plan.space)
      return refreshSpace(this.#index, plan, options)
    }
  }
}

function planOf(workspace: Workspace, space: Space): RefreshPlan {
  return {
    space,
    roots: workspace.roots.filter(root => root.space === space && root.type !== 'config'),
    extractors: space === 'project' ? workspace.extractors : workspace.sharedExtractors,
    base: baseOf(workspace, space),
  }
}

/** Links are resolved: a folder may be one process's project and another's user space, by different paths. */
function baseOf({ projectPath, library }: Workspace, space: Space): string {
  if (space === 'project') return projectPath
  return space === 'user' ? realPath(library.userSpace) : library.systemRoot
}

function join(reports: readonly RefreshReport[]): RefreshReport {
  const sum = (key: 'items' | 'added' | 'updated' | 'deleted' | 'unchanged') =>
    reports.reduce((total, report) => total + report[key], 0)
  return {
    items: sum('items'),
    added: sum('added'),
    updated: sum('updated'),
    deleted: sum('deleted'),
    unchanged: sum('unchanged'),
    diagnostics: reports.flatMap(report => report.diagnostics),
  }
}

/** The index of the workspace's project, opened once per library. */
export function openLiveIndex(workspace: Workspace, options: LiveIndexOptions): Promise<LiveIndex> {
  return workspace.library.keep(`index:${workspace.projectPath}`, () => LiveIndex.open(workspace, options))
}
