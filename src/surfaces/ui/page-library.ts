// The library as the page sees it: the shared actions, called for a person, on the projects that the server
// was started for.
import { describeFailure, type Failure } from '../../actions/index.ts'
import type { AppError } from '../../base/index.ts'
import type { Library } from '../../workspace/index.ts'
import { type CallOptions, callAction } from './call-action.ts'
import type { PageCall } from './calls.ts'
import { followChanges } from './follow-changes.ts'
import { keepSummary } from './kept-summary.ts'
import type { Send } from './line-stream.ts'
import { readLockedSources } from './locked-sources.ts'
import { changesOf } from './project-changes.ts'
import type { Projects } from './projects.ts'
import type { ReferenceMap } from './reference-map.ts'
import type { LockedSources, Summary } from './summary-types.ts'
import type { Sweeper } from './sweeper.ts'
import { searchTyped, type TypedSearch } from './typed-search.ts'
import { warmSearch } from './warm-search.ts'

export interface PageLibrary {
  readonly projects: Projects['list']
  /**
   * Throws when there is no such project any more. Called before a stream begins, which could not report it.
   */
  check(project: number): void
  /** The answer of the action, failures included. */
  call(call: PageCall, options: CallOptions): Promise<object>
  search(project: number, search: TypedSearch, signal: AbortSignal): Promise<object>
  summary(project: number, signal: AbortSignal): Promise<Summary>
  sources(project: number): Promise<LockedSources>
  references(project: number, signal: AbortSignal): Promise<ReferenceMap>
  /** Sends a line for each change until the signal aborts. */
  follow(project: number, send: Send, signal: AbortSignal): Promise<void>
  describe(error: AppError): Failure
}

export function createPageLibrary(library: Library, projects: Projects, sweeper: Sweeper): PageLibrary {
  const summaries = projects.list.map(({ path }, index) =>
    keepSummary(library, path, signal => sweeper.summary(index, signal)),
  )
  /** By path. A first search there aborts it. */
  const warming = new Map<string, AbortController>()
  return {
    projects: projects.list,
    check: project => void projects.pathOf(project),
    async call({ action, project, input }, options) {
      const path = projects.pathOf(project)
      if (action === 'doctor') return sweeper.doctor(project, options.signal)
      return callAction(library, path, { action, input }, options)
    },
    async search(project, search, signal) {
      const path = projects.pathOf(project)
      const summary = summaries[project]!
      if (search.input.query !== '*') warming.get(path)?.abort()
      // A search for one status waits until the status of everything is known; others are answered without
      // counts of trust.
      if (search.chosen.trust && !summary.statusOf) await summary.read(signal)
      return searchTyped(library, path, { ...search, statusOf: summary.statusOf }, { signal })
    },
    async summary(project, signal) {
      projects.pathOf(project)
      return (await summaries[project]!.read(signal)).summary
    },
    sources: async project => readLockedSources(library, projects.pathOf(project)),
    async references(project, signal) {
      projects.pathOf(project)
      return sweeper.references(project, signal)
    },
    async follow(project, send, signal) {
      const path = projects.pathOf(project)
      const changes = await changesOf(library, path)
      if (!warming.has(path)) {
        warming.set(path, new AbortController())
        void warmSearch(library, path, warming.get(path)!.signal)
      }
      await followChanges(() => changes.look(), send, signal)
    },
    describe: error => describeFailure(error, 'person'),
  }
}
