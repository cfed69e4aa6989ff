// What a query finds: what is in sight with each key, more of it or why there is nothing once the keys rest, and the rest as somebody scrolls.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Failure, SearchResult } from 'ryekit'
import { isFailure, search, type TypedAnswer, type TypedQuestion } from '../connection.ts'
import { type Asked, useAsked, usePage, useSummary } from '../state.tsx'
import { type Late, listedOf, REST_AFTER_MS, useLate } from './late.tsx'

/** What one exchange brings at most; further ones are for who scrolls. */
const PAGE = 50
/** What is listed at most: nobody scrolls further than that, and other words help more. */
export const MOST = 1000
/** Of hits, and of what is above the first, where none is shown yet; and what is drawn at least. */
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
  /** Lists more, where there is more. */
  more(): void
}

export function useSearch(question: SearchQuestion): SearchState {
  const { query, sort, chosen, most } = question
  const { project } = usePage()
  const key = JSON.stringify([query, sort, chosen])
  // What the page was opened with comes at once: it may have been scrolled.
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
  // Once it is painted, nothing has to be laid out for it.
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

/** Counts up when every signature has been checked again: trust is counted by it. */
function useSweeps(): number {
  const { answer } = useSummary()
  const last = useRef({ answer, count: 0 })
  if (last.current.answer !== answer) last.current = { answer, count: last.current.count + 1 }
  return last.current.count
}

/** How many hits the window shows, if others are as high as those that are shown, and one more. */
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
