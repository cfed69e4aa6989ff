// Measures search on the user's own library: asks each question as a person would, and looks for the items
// that should answer it among the first ten hits.
import { AppError, printHint } from '../../base/index.ts'
import { type ItemRef, parseRef } from '../../item/index.ts'
import {
  type Evaluation,
  type MeaningSource,
  measureRankings,
  type OwnQuestion,
  questionVectors,
  summariseTimes,
} from '../../search/index.ts'
import { embedLibrary, openLiveIndex, type Workspace } from '../../workspace/index.ts'
import type { ActionContext } from '../definition/action.ts'
import { searchItems } from '../items/search/search-items.ts'

export interface OwnEvaluation extends Evaluation {
  readonly questions: number
  /** Questions whose expected item did not come first, in the order of the file. */
  readonly missed: readonly MissedQuestion[]
}

export interface MissedQuestion {
  readonly question: string
  readonly line: number
  readonly ids: readonly string[]
  /** Best rank of these items; null when none is among the first ten. */
  readonly rank: number | null
  /** The item that came first instead; null when there were no hits. */
  readonly first: string | null
}

/** The inputs of a person who gives no flags; registries are not asked. */
const PLAIN = {
  item_type: 'all',
  source: 'local',
  sort_by: 'score',
  match: 'auto',
  detail: 'full',
  trusted: false,
  offset: 0,
  limit: 10,
} as const
const MOST_NAMED = 5

/** Throws `INVALID_INPUT` for ids without an item, and `REMOTE_FAILED` when a provider fails. */
export async function evaluateOwn(
  context: ActionContext,
  projectPath: string,
  questions: readonly OwnQuestion[],
  source: MeaningSource | undefined,
): Promise<OwnEvaluation> {
  const workspace = await context.library.open(projectPath)
  checkIds(workspace, questions)
  const texts = questions.map(({ question }) => question)
  const vectors = await questionVectors(texts, source)
  await prepare(context, workspace, source)
  const [rankings, judgements] = [new Map<string, string[]>(), new Map<string, Map<string, number>>()]
  const missed: MissedQuestion[] = []
  const times: number[] = []
  for (const [at, { question, ids, line }] of questions.entries()) {
    context.signal.throwIfAborted()
    const vector = vectors(at)
    const started = performance.now()
    const { results } = await searchItems(
      context,
      { ...PLAIN, query: question, project_path: projectPath },
      {
        embed: async () => (vector ? { vector } : {}),
      },
    )
    times.push(performance.now() - started)
    const refs = ids.map(parseRef)
    const found = results.map(result => ({ ...result, at: refs.findIndex(ref => isItem(ref, result)) }))
    rankings.set(
      `${line}`,
      found.map((result, rank) => (result.at === -1 ? `other ${rank}` : ids[result.at]!)),
    )
    judgements.set(`${line}`, new Map(ids.map(id => [id, 1])))
    const rank = 1 + found.findIndex(result => result.at !== -1)
    if (rank === 1) continue
    const [first] = results
    const place = { rank: rank === 0 ? null : rank, first: first ? `${first.type}:${first.id}` : null }
    missed.push({ question, line, ids, ...place })
  }
  const figures = { ...measureRankings(rankings, judgements), ...summariseTimes(times) }
  return { ...figures, questions: questions.length, missed }
}

/** Makes the vectors of all items, so that each can be found by meaning. */
async function prepare(
  context: ActionContext,
  workspace: Workspace,
  source: MeaningSource | undefined,
): Promise<void> {
  const index = await openLiveIndex(workspace, { watch: false })
  await index.refresh(workspace, { signal: context.signal })
  if (!source) return
  if ('local' in source) return index.complete(source.local)
  const { problem } = await embedLibrary(index, source.provider, source)
  if (problem !== undefined) throw new AppError('REMOTE_FAILED', problem)
}

function isItem(
  { id, type, space }: ItemRef,
  found: { readonly id: string; readonly type: string; readonly source: string },
): boolean {
  return id === found.id && (type ?? found.type) === found.type && (space ?? found.source) === found.source
}

function checkIds(workspace: Workspace, questions: readonly OwnQuestion[]): void {
  const problems = questions.flatMap(({ ids, line }) =>
    ids.flatMap(id => {
      const problem = problemOf(workspace, id)
      return problem === undefined ? [] : [`line ${line}: ${problem}`]
    }),
  )
  if (problems.length === 0) return
  const more = problems.length > MOST_NAMED ? ` and ${problems.length - MOST_NAMED} more` : ''
  throw new AppError(
    'INVALID_INPUT',
    `expected ids of items, got ${problems.slice(0, MOST_NAMED).join('; ')}${more}`,
    {
      hint: 'ids are those of `rye list`; `TYPE:ID@SPACE` names one of several',
    },
  )
}

function problemOf(workspace: Workspace, id: string): string | undefined {
  try {
    workspace.find(parseRef(id))
  } catch (thrown) {
    // Several items have this id: any of them counts as an answer.
    if (!(thrown instanceof AppError) || thrown.code === 'ITEM_AMBIGUOUS') return undefined
    const hint = thrown.hint === undefined ? '' : ` (${printHint(thrown.hint, 'person')})`
    return `${thrown.code === 'ITEM_NOT_FOUND' ? `no item \`${id}\`` : thrown.message}${hint}`
  }
  return undefined
}
