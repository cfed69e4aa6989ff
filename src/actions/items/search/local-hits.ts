// Finds hits in the local index, which is first brought up to date, as far as the caller can wait. The index
// knows nothing of trust: its rows are judged here, as their files are now.
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { AppError } from '../../../base/index.ts'
import type { RankedGuest } from '../../../catalogue/index.ts'
import { isBusy } from '../../../search/index.ts'
import {
  type FoundSpaces,
  type LiveIndex,
  openLiveIndex,
  type QueryVector,
  questionEmbedder,
} from '../../../workspace/index.ts'
import type { SearchPlan } from './plan-search.ts'
import { type Page, readTrustedFirst } from './trusted-first.ts'

/** How long an agent waits for the index before it is answered from what is indexed so far. */
const AGENT_BUDGET_MS = 1500

export interface LocalHits extends Page {
  /** The vector of the question, or why there is none. */
  readonly meaning: QueryVector
}

export interface CurrentHits {
  readonly hits: LocalHits
  /** A warning if recent changes may be missing. */
  readonly pending: string | undefined
}

export interface LocalSearch {
  readonly index: LiveIndex
  /** Hits in the index as it is now, together with those of a catalogue. */
  find(shared?: RankedGuest): Promise<LocalHits>
}

export async function openLocalSearch(plan: SearchPlan): Promise<LocalSearch> {
  const { workspace, request, unverified, options } = plan
  const { library, caller } = plan.context
  const index = await openLiveIndex(workspace, { watch: library.watches || caller === 'agent' })
  const embed = options.embed ?? questionEmbedder(workspace, request)
  return {
    index,
    async find(shared) {
      const meaning = await embed(index)
      const whole = { ...request, ...(meaning.vector && { vector: meaning.vector }) }
      return { meaning, ...readTrustedFirst({ index, workspace, request: whole, unverified, shared }) }
    },
  }
}

/** `changes` is what the system's `find` says about the files, if it was asked. */
export async function findCurrent(
  plan: SearchPlan,
  local: LocalSearch,
  changes: Promise<FoundSpaces> | undefined,
): Promise<CurrentHits> {
  const current = changes
    ? await findWhileChecking(plan, local, changes)
    : await findAfterUpdate(plan, local, undefined)
  const { answer, described } = current.hits
  if (answer.reset.length === 0 && !described.some(({ isOutdated }) => isOutdated)) return current
  // The watch may have missed a write: through another name of the file, or before its event came.
  local.index.invalidate()
  return findAfterUpdate(plan, local, undefined)
}

/** Usually nothing has changed, so the search runs during the check. Its answer counts if nothing has. */
async function findWhileChecking(
  plan: SearchPlan,
  local: LocalSearch,
  changes: Promise<FoundSpaces>,
): Promise<CurrentHits> {
  const early = (await isSettled(changes)) ? undefined : await local.find()
  const seen = await changes
  if (!local.index.isUnchanged(plan.workspace, seen)) return findAfterUpdate(plan, local, seen)
  return { hits: early ?? (await local.find()), pending: undefined }
}

async function findAfterUpdate(
  plan: SearchPlan,
  local: LocalSearch,
  seen: FoundSpaces | undefined,
): Promise<CurrentHits> {
  const pending = await bringUpToDate(plan, local.index, seen)
  return { hits: await local.find(), pending }
}

async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false
  const settle = () => {
    settled = true
  }
  promise.then(settle, settle)
  await nextTurn()
  return settled
}

/** Returns a warning if the index may not be up to date. */
async function bringUpToDate(
  { context, workspace }: SearchPlan,
  index: LiveIndex,
  seen: FoundSpaces | undefined,
): Promise<string | undefined> {
  if (await index.isFresh()) return undefined
  const onProgress = (done: number, total: number) => context.onProgress({ message: 'indexing', done, total })
  const isPerson = context.caller === 'person'
  const options = isPerson ? { signal: context.signal, onProgress, found: seen } : { onProgress }
  const refreshing = index.refresh(workspace, options).then(
    () => undefined,
    thrown => {
      if (!(thrown instanceof AppError && isBusy(thrown.cause))) throw thrown
      return 'another process is writing the index: recent changes may be missing'
    },
  )
  if (isPerson) return refreshing
  // The rest is indexed while the agent reads, and its next search finds more, or reports a failure.
  refreshing.catch(() => {})
  const waiting = new AbortController()
  const unfinished = 'the index is still being built: some items may be missing'
  const budget = pause(AGENT_BUDGET_MS, unfinished, { signal: waiting.signal, ref: false }).catch(
    () => undefined,
  )
  return Promise.race([refreshing, budget]).finally(() => waiting.abort())
}
