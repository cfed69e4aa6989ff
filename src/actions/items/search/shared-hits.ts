// Hits of a catalogue in a search. Candidates are asked for while the local index answers, and ranked
// together with local items. What is shown of them comes from their own bytes.
import { AppError, printCanonicalJson } from '../../../base/index.ts'
import {
  type Candidate,
  openCandidates,
  outdatedWarning,
  type RankedGuest,
} from '../../../catalogue/index.ts'
import { isQuestion, type SearchRequest } from '../../../search/index.ts'
import { checkCandidate, isVerified, knownMeanings, type Workspace } from '../../../workspace/index.ts'
import type { FullResult } from './answer.ts'

export interface SharedHits {
  readonly guest?: RankedGuest
  readonly warning?: string
  /** Set if the catalogue was not waited for and may still answer. */
  readonly isLate?: true
  /** The results, with those of the catalogue corrected to what their bytes say. */
  confirm<R extends FullResult>(results: readonly R[]): Promise<readonly R[]>
}

/**
 * Milliseconds that a local answer waits for a catalogue, and that a caller who wants the catalogue waits.
 */
const BESIDE_LOCAL = 50
const PATIENTLY = 10_000

/** Starts to ask. The returned function waits for the answer. */
export async function askShared(
  workspace: Workspace,
  request: SearchRequest,
  { source, isPatient }: { readonly source: 'all' | 'shared'; readonly isPatient: boolean },
): Promise<() => Promise<SharedHits>> {
  const { shared, library } = workspace
  if (!shared)
    throw new AppError('INVALID_INPUT', 'expected `source` other than `shared`: no catalogue is set up', {
      hint: 'name one in your settings: `catalogue = "s3://bucket/folder"` in `.ai/config/rye.toml`',
    })
  const { embedder } = (await knownMeanings(library)).builtIn()
  const vector = isQuestion(request.query, request) ? embedder?.embedQuestion(request.text) : undefined
  const asked = shared.ask(request, vector)
  const isTrusted = (candidate: Candidate) => isVerified(workspace, candidate)
  const opening = { reader: shared.reader, embedder, isTrusted }
  return async () => {
    const late = new AppError('REMOTE_FAILED', `no answer within ${BESIDE_LOCAL / 1000} s`)
    try {
      const found = isPatient ? await asked(PATIENTLY) : await asked(BESIDE_LOCAL, late)
      const guest = openCandidates(found, opening)
      return {
        guest,
        ...(found.outdated > 0 && { warning: outdatedWarning(found.outdated) }),
        confirm: results => confirmAll(workspace, guest, results),
      }
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown
      const nothing = { confirm: async <R>(results: readonly R[]) => results }
      // Nothing is wrong with the catalogue: it may still answer.
      if (thrown === late) return { warning: lateWarning(thrown), isLate: true, ...nothing }
      const kept = await shared.cached(workspace)
      if (kept.candidates.length === 0) {
        if (source === 'shared') throw thrown
        return { warning: awayWarning(thrown), ...nothing }
      }
      const guest = openCandidates(kept, opening)
      return {
        guest,
        warning: awayWarning(thrown),
        confirm: results => confirmAll(workspace, guest, results),
      }
    }
  }
}

function awayWarning({ message }: AppError): string {
  return `hits of the shared catalogue are missing, except for items that were loaded before: ${message}`
}

function lateWarning({ message }: AppError): string {
  return `hits of the shared catalogue are missing: ${message}; repeat the search, or search with \`source: "shared"\`, to get late hits`
}

/** Rows that say what their bytes say, with the extractors that read those; neither ever changes. */
const confirmed = new WeakMap<Candidate, Workspace['sharedExtractors']>()

async function confirmAll<R extends FullResult>(
  workspace: Workspace,
  guest: RankedGuest,
  results: readonly R[],
): Promise<readonly R[]> {
  return Promise.all(
    results.map(async result => {
      const candidate = result.source === 'shared' ? guest.find(result) : undefined
      if (!candidate || confirmed.get(candidate) === workspace.sharedExtractors) return result
      const { document } = await checkCandidate(workspace, candidate)
      if (document && printCanonicalJson(document) === printCanonicalJson(candidate.document)) {
        confirmed.set(candidate, workspace.sharedExtractors)
        return result
      }
      // A row that says something else about its item is not quoted.
      const { parameters: _unread, ...rest } = result
      return {
        ...rest,
        title: document?.title ?? result.name,
        description: document?.description ?? '',
        category: document?.category ?? '',
        preview: '',
      } as R
    }),
  )
}
