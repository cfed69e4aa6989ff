// What a query finds: what is in sight with each key, more of it or why there is nothing once the keys rest, and the rest as somebody scrolls.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Failure, SearchResult } from 'ryekit'
import { isFailure, search, type TypedAnswer, type TypedQuestion } from '../connection.ts'
import { type Asked, useAsked, usePage, useSummary } from '../state.tsx'

/** What one exchange brings at most; further ones are for who scrolls. */
const PAGE = 50
/** What is listed at most: nobody scrolls further than that, and other words help more. */
export const MOST = 1000
const REST_AFTER_MS = 400
/** Of the shortest hit, and of what is above the first. */
const HIT_HEIGHT = 72
const HEAD_HEIGHT = 136

export interface SearchQuestion {
  readonly query: string
  readonly sort: 'score' | 'name' | 'date'
  readonly chosen: TypedQuestion['chosen']
  readonly most: TypedQuestion['most']
}

export interface SearchState {
  readonly found: Asked<TypedAnswer>
  /** Lists more, where there is more. */
  more(): void
}

export function useSearch(question: SearchQuestion): SearchState {
  const { query, sort, chosen, most } = question
  const { project } = usePage()
  const key = JSON.stringify([query, sort, chosen])
  // What the page was opened with comes at once: it may have been scrolled.
  const first = useRef(key).current
  const atFirst = key === first ? PAGE : inSight()
  const [extent, setExtent] = useState({ key, wanted: atFirst })
  const wanted = extent.key === key ? extent.wanted : atFirst
  const ask = (signal: AbortSignal) =>
    searchUpTo(
      project,
      { input: { query, sort_by: sort }, chosen, most, hints: wanted >= PAGE },
      { wanted, signal },
    )
  const found = useAsked(ask, ['search', project, key, wanted, most, useSweeps()], ['items', 'trust'])
  const { answer, isWaiting } = found
  const hasMore = answer !== undefined && answer.results.length < Math.min(MOST, listedOf(answer))
  const isShort = (hasMore || answer?.total === 0) && !isWaiting && wanted < PAGE
  useEffect(() => {
    if (!isShort) return
    const timer = setTimeout(() => setExtent({ key, wanted: PAGE }), REST_AFTER_MS)
    return () => clearTimeout(timer)
  }, [key, isShort])
  const more = () => {
    if (hasMore && !isWaiting && !isShort) setExtent({ key, wanted: Math.min(MOST, wanted + PAGE) })
  }
  return { found, more }
}

/** How many hits there are to list. */
export function listedOf({ total, weaker = 0 }: TypedAnswer): number {
  return total - weaker
}

/** Counts up when every signature has been checked again: trust is counted by it. */
function useSweeps(): number {
  const { answer } = useSummary()
  const last = useRef({ answer, count: 0 })
  if (last.current.answer !== answer) last.current = { answer, count: last.current.count + 1 }
  return last.current.count
}

function inSight(): number {
  return Math.min(PAGE, Math.max(6, Math.ceil((innerHeight - HEAD_HEIGHT) / HIT_HEIGHT)))
}

async function searchUpTo(
  project: number,
  question: TypedQuestion,
  { wanted, signal }: { readonly wanted: number; readonly signal: AbortSignal },
): Promise<TypedAnswer | Failure> {
  const limit = Math.min(wanted, PAGE)
  const ask = (query: string, offset: number) =>
    search(project, { ...question, input: { ...question.input, query, limit, offset } }, signal)
  const first = await ask(question.input.query, 0)
  if (isFailure(first)) return first
  const results = new Map(first.results.map(result => [keyOf(result), result]))
  let last = first
  for (let offset = limit; offset < wanted && last.results.length === limit; offset += limit) {
    const next = await ask(first.asked, offset)
    if (isFailure(next)) break
    for (const result of next.results) results.set(keyOf(result), result)
    last = next
  }
  return { ...first, results: [...results.values()] }
}

export function keyOf({ type, source, id }: SearchResult): string {
  return `${type} ${source} ${id}`
}
