// Updates the search index now, rebuilds it, or keeps watching for changes.
import { setTimeout as pause } from 'node:timers/promises'
import {
  type EmbeddingReport,
  embedLibrary,
  findSpaces,
  type LiveIndex,
  openLiveIndex,
  readMeaning,
} from '../../workspace/index.ts'
import { type ActionContext, defineAction } from '../definition/action.ts'
import type { FileNote } from '../definition/answer-parts.ts'
import type { CallInput, Fields } from '../definition/field-spec.ts'
import { projectPath } from '../definition/shared-fields.ts'

const LOOK_EVERY_MS = 200

const INDEX_FIELDS = {
  rebuild: { type: 'boolean', about: 'discard the index and read everything again', default: false },
  watch: { type: 'boolean', about: 'keep watching for changes until interrupted', default: false },
  project_path: projectPath,
} as const satisfies Fields

export type IndexInput = CallInput<typeof INDEX_FIELDS>

export interface IndexAnswer {
  /** Number of items that are indexed now; the next four say what changed. */
  readonly items: number
  readonly added: number
  readonly updated: number
  readonly deleted: number
  readonly unchanged: number
  readonly duration_ms: number
  readonly diagnostics: readonly FileNote[]
  /** With a provider of embeddings: what was requested from it. */
  readonly embeddings?: EmbeddingReport
}

export const indexLibrary = defineAction({
  name: 'index',
  description: 'Bring the search index up to date.',
  effects: { readOnly: false, destructive: false, openWorld: false },
  fields: INDEX_FIELDS,
  run: async (context, input): Promise<IndexAnswer> => {
    const { signal } = context
    const workspace = await context.library.open(input.project_path)
    const index = await openLiveIndex(workspace, { watch: input.watch })
    if (input.rebuild) index.clear()
    const refresh = () => refreshNow(context, input.project_path, index)
    let answer = await withVectors(context, index, await refresh())
    while (input.watch && !signal.aborted) {
      await pause(LOOK_EVERY_MS, undefined, { signal }).catch(() => {})
      if (signal.aborted || (await index.isFresh())) continue
      const next = await refresh()
      const { added, updated, deleted } = next
      const isChanged = added + updated + deleted > 0
      if (isChanged) context.onNote(`${added} added, ${updated} updated, ${deleted} deleted`)
      answer = addUp(answer, isChanged ? await withVectors(context, index, next) : next)
      const { problem } = (isChanged && answer.embeddings) || {}
      if (problem !== undefined) context.onNote(problem)
    }
    return answer
  },
})

async function refreshNow(
  context: ActionContext,
  projectPath: string,
  index: LiveIndex,
): Promise<IndexAnswer> {
  const { library, signal, onProgress } = context
  const started = performance.now()
  // Even if the library is small, so that the next search finds the stamp.
  const found = await findSpaces(library, projectPath, { minIndexBytes: 0 })
  const view = await library.open(projectPath)
  const report = await index.refresh(view, {
    signal,
    found,
    onProgress: (done, total) => onProgress({ message: 'indexing', done, total }),
  })
  const { items, added, updated, deleted, unchanged, diagnostics } = report
  const duration_ms = Math.round(performance.now() - started)
  return { items, added, updated, deleted, unchanged, duration_ms, diagnostics }
}

async function withVectors(
  context: ActionContext,
  index: LiveIndex,
  answer: IndexAnswer,
): Promise<IndexAnswer> {
  const started = performance.now()
  const embeddings = await embed(context, index)
  const duration_ms = answer.duration_ms + Math.round(performance.now() - started)
  return embeddings ? { ...answer, duration_ms, embeddings } : answer
}

/** With `watch` there is one answer, at the end: the final state and the total of all changes. */
function addUp(before: IndexAnswer, next: IndexAnswer): IndexAnswer {
  return {
    ...next,
    added: before.added + next.added,
    updated: before.updated + next.updated,
    deleted: before.deleted + next.deleted,
    duration_ms: before.duration_ms + next.duration_ms,
    ...addVectors(before.embeddings, next.embeddings),
  }
}

function addVectors(
  before: EmbeddingReport | undefined,
  next: EmbeddingReport | undefined,
): Pick<IndexAnswer, 'embeddings'> {
  const last = next ?? before
  if (!last) return {}
  return { embeddings: before && next ? { ...next, embedded: before.embedded + next.embedded } : last }
}

/** With a provider: adds the vectors that items lack. If the provider fails, only those are missing. */
async function embed(context: ActionContext, index: LiveIndex): Promise<EmbeddingReport | undefined> {
  const { provider, builtIn } = await readMeaning(context.library)
  const problem = builtIn?.().problem
  if (problem !== undefined) context.onNote(`items are found by words alone: ${problem}`)
  if (!provider || context.signal.aborted) return undefined
  return embedLibrary(index, provider, {
    signal: context.signal,
    onProgress: (done, total) => context.onProgress({ message: 'embedding', done, total }),
  })
}
