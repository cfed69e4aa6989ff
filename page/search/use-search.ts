// What a query finds, in two steps while somebody types: what is in sight with each key, all that is listed and counted once the keys rest.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Failure, SearchAnswer } from 'ryekit'
import { call, type Input, isFailure } from '../connection.ts'
import { type Asked, useAnswer, useAsked, usePage } from '../state.tsx'
import { completeWord } from './complete-word.ts'

export const LIMIT = 100
const IN_SIGHT = 20
const REST_AFTER_MS = 250

interface Found extends SearchAnswer {
  /** What was asked for in the end: the query, or the same with its last word completed. */
  readonly asked: string
}

export interface SearchQuestion {
  readonly query: string
  readonly sort: 'score' | 'name' | 'date'
  /** Those that the index knows. */
  readonly filters: Pick<Input<'search'>, 'item_type' | 'source' | 'category'>
  /** Results are looked through for one more. */
  readonly isSifted: boolean
}

export interface SearchState {
  readonly found: Asked<Found>
  /** Without filters, as far as it is listed: what the filters count. */
  readonly all: SearchAnswer | undefined
}

export function useSearch({ query, sort, filters, isSifted }: SearchQuestion): SearchState {
  const { project } = usePage()
  // What the page was opened with comes at once, and whole.
  const first = useRef(query).current
  const isNarrow = Object.keys(filters).length > 0
  const limit = query === first || isNarrow || isSifted ? LIMIT : IN_SIGHT
  const input = { query, limit, sort_by: sort, ...filters }
  const found = useAsked(
    signal => searchAsTyped(project, input, signal),
    ['search', project, input],
    ['items', 'trust'],
  )
  const answer = found.answer
  const isWhole = answer !== undefined && !isNarrow && (answer.limit === LIMIT || answer.total <= IN_SIGHT)
  const isCurrent = answer?.query === query
  const rested = useRested(isCurrent && !isWhole ? answer.asked : undefined)
  const rest = useAnswer(
    'search',
    rested === undefined ? undefined : { query: rested, limit: LIMIT, sort_by: sort },
  )
  const last = useRef<SearchAnswer>(undefined)
  if (isWhole) last.current = answer
  else if (rest.answer) last.current = rest.answer
  const isRest = !isNarrow && !isWhole && answer !== undefined && rest.answer?.query === answer.asked
  const whole = isRest ? rest.answer?.results : undefined
  const joined = useMemo(
    () => (whole && answer ? { ...found, answer: { ...answer, results: whole } } : found),
    [found, answer, whole],
  )
  return { found: joined, all: last.current }
}

/** The value, once it has stayed the same for a moment; what it was before until then. */
function useRested(value: string | undefined): string | undefined {
  const [rested, setRested] = useState<string>()
  useEffect(() => {
    if (value === undefined) return
    const timer = setTimeout(() => setRested(value), REST_AFTER_MS)
    return () => clearTimeout(timer)
  }, [value])
  return rested
}

/** Where no item has all the words, the last one may be unfinished. */
async function searchAsTyped(
  project: number,
  input: Input<'search'> & { readonly query: string },
  signal: AbortSignal,
): Promise<Found | Failure> {
  const answer = await call('search', project, input, signal)
  if (isFailure(answer)) return answer
  const found = { ...answer, query: input.query, asked: input.query }
  const begun = completeWord(input.query)
  if (begun === undefined || (answer.results[0] && !answer.results[0].partial)) return found
  const more = await call('search', project, { ...input, query: begun }, signal)
  if (isFailure(more) || more.results.length === 0) return found
  // What it may say about the pattern is nothing that was typed.
  const { warning: _, ...rest } = more
  return { ...rest, query: input.query, asked: begun }
}
