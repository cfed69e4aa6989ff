// What a query finds. Each key press gets as many hits as fit in the window. When typing pauses, more follow,
// or the reason why there are none; the rest as someone scrolls.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Failure, SearchResult } from 'ryekit'
import { isFailure, search, type TypedAnswer, type TypedQuestion } from '../connection.ts'
import { type Asked, useAsked, usePage, useSummary } from '../state.tsx'
import { type Late, listedOf, REST_AFTER_MS, useLate } from './late.tsx'

/** The most hits per request; further ones are for people who scroll. */
const PAGE = 50
/** The most hits listed: nobody scrolls further, and other words help more. */
export const MOST = 1000
/**
 * Assumed height of a hit and of everything above the first, until one is shown; and the least number of hits
 * drawn.
 */
const [HIT_HEIGHT, HEAD_HEIGHT, LEAST] = [72, 136, 4]

export interface SearchQuestion {
  readonly query: string
  readonly sort: 'score' | 'name' | 'date'
  readonly chosen: TypedQuestion['chosen']
  readonly most: TypedQuestion['most']
}

export interface SearchState {
  readonly found: Asked<TypedAnswer>
  readonly late: Late
  /** Lists more, if there are more. */
  more(): void
}

export function useSearch(question: SearchQuestion): SearchState {
  const { query, sort, chosen, most } = question
  const { project } = usePage()
  const key = JSON.stringify([query, sort, chosen])
  // A page opened with a query gets a full page of hits at once: it may have been scrolled.
  const first = useRef(key).current
  const room = useRef(roomFor(HEAD_HEIGHT, HIT_HEIGHT))
  const atFirst = key === first ? PAGE : room.current
  const [extent, setExtent] = useState({ key, wanted: atFirst })
  const wanted = extent.key === key ? extent.wanted : atFirst
  const [taken, setTaken] = useState<{ readonly key: string; readonly answer: TypedAnswer }>()
  const ask = (signal: AbortSignal, patient = taken?.key === key) =>
    searchUpTo(
      project,
      { input: { query, sort_by: sort }, chosen, most, hints: wanted >= PAGE, patient },
      { wanted, signal },
    )
  const asked = useAsked(ask, ['search', project, key, wanted, most, useSweeps()], ['items', 'trust'])
  const late = useLate(
    asked,
    key,
    signal => ask(signal, true),
    answer => setTaken({ key, answer }),
  )
  const found = asked.answer?.late && taken?.key === key ? { ...asked, answer: taken.answer } : asked
  const { answer, isWaiting } = found
  // Measured after painting, which forces no extra layout.
  useEffect(() => {
    room.current = measureRoom() ?? room.current
  }, [answer])
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
  return { found, late, more }
}

/** Goes up when every signature has been checked again, since counts of trust depend on that. */
function useSweeps(): number {
  const { answer } = useSummary()
  const last = useRef({ answer, count: 0 })
  if (last.current.answer !== answer) last.current = { answer, count: last.current.count + 1 }
  return last.current.count
}

/** How many hits fit in the window, if others are as high as those shown, plus one. */
function measureRoom(): number | undefined {
  const hits = document.querySelectorAll('.results > li')
  const [first, last] = [hits[0], hits[hits.length - 1]]
  if (!first || !last) return undefined
  const { top } = first.getBoundingClientRect()
  return roomFor(top + scrollY, (last.getBoundingClientRect().bottom - top) / hits.length)
}

function roomFor(above: number, height: number): number {
  return Math.min(PAGE, Math.max(LEAST, Math.ceil((innerHeight - above) / height) + 1))
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
