// Search as you type. The whole question is in the address.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Failure } from 'ryekit'
import type { TypedAnswer } from '../connection.ts'
import { Empty, Name, Sorry, trustWord, Waiting } from '../parts/basics.tsx'
import { openIfAsked } from '../search/first-hit.ts'
import { Results } from '../search/hits.tsx'
import { listedOf, Shared } from '../search/late.tsx'
import { MOST, useSearch } from '../search/use-search.ts'
import { useParams } from '../state.tsx'
import { countOf } from '../text/count.ts'

const FILTERS = [
  ['type', 'Type'],
  ['space', 'Space'],
  ['trust', 'Trust'],
  ['category', 'Category'],
] as const

export function SearchPage() {
  const [params, change] = useParams()
  const query = params.q?.trim() || '*'
  const sort =
    params.sort === 'name' || params.sort === 'date' ? params.sort : query === '*' ? 'name' : 'score'
  const filters = FILTERS.filter(([name]) => params[name]).map(([name]) => [name, params[name]!] as const)
  const chosenText = JSON.stringify(filters)
  const chosen = useMemo(() => Object.fromEntries(filters), [chosenText])
  const [isWide, setWide] = useState(false)
  const { found, late, more } = useSearch({ query, sort, chosen, most: isWide ? 'all' : 'few' })
  const { answer, failure } = found
  useEffect(() => {
    if (answer?.query === query) openIfAsked(query)
  }, [answer, query])
  const counted = useAfterPaint(answer)
  // The same element is not drawn again, so a key press that changes neither costs nothing for them.
  const list = useMemo(() => answer && <Results results={answer.results} />, [answer])
  const sidebar = useMemo(
    () => counted && <Filters {...{ facets: counted.facets, chosen, change, setWide }} />,
    [counted, chosen, change],
  )
  return (
    <>
      <h1 class="visually-hidden">Search</h1>
      {failure ? (
        <Slip query={query} failure={failure} />
      ) : !answer ? (
        <Waiting lines={6} />
      ) : (
        <div class="search-page">
          {sidebar}
          <section class="results-frame" aria-label="Results" data-query={answer.query}>
            <div class="results-head">
              <p role="status">
                {countOf(listedOf(answer), 'item')}
                {answer.weaker ? <span class="faint"> · {answer.weaker} weaker left out</span> : null}
                {answer.late && <Shared late={late} />}
              </p>
              <label class="sort">
                Sort by{' '}
                <select value={sort} onChange={event => change({ sort: event.currentTarget.value })}>
                  {query !== '*' && <option value="score">best first</option>}
                  <option value="name">name</option>
                  <option value="date">newest first</option>
                </select>
              </label>
            </div>
            {answer.warning && <p class="notice">{answer.warning}</p>}
            {answer.results.length > 0 ? (
              list
            ) : (
              <Empty title="Nothing fits">
                <p>
                  {filters.length === 0 && answer.hint
                    ? answer.hint
                    : 'Take a filter away, or use other words.'}
                </p>
                {filters.length === 0 && query !== '*' && (
                  <button type="button" class="button" onClick={() => change({ q: '' })}>
                    See everything
                  </button>
                )}
                {filters.length > 0 && (
                  <button
                    type="button"
                    class="button"
                    onClick={() => change(Object.fromEntries(FILTERS.map(([name]) => [name, ''])))}
                  >
                    Take all filters away
                  </button>
                )}
              </Empty>
            )}
            <End answer={answer} more={more} />
          </section>
        </div>
      )}
    </>
  )
}

/** The first value at once, each later one a frame after: the hits do not wait for the counts beside them. */
function useAfterPaint<T>(value: T): T {
  const [painted, setPainted] = useState(value)
  useEffect(() => setPainted(value), [value])
  return painted ?? value
}

/** Below the hits: when it comes into view, more are listed. */
function End({ answer, more }: { answer: TypedAnswer; more: () => void }) {
  const end = useRef<HTMLParagraphElement>(null)
  const latest = useRef(more)
  latest.current = more
  const listed = answer.results.length
  const isWhole = listed >= listedOf(answer)
  useEffect(() => {
    if (isWhole || listed >= MOST || !end.current) return
    const observer = new IntersectionObserver(
      entries => entries.some(({ isIntersecting }) => isIntersecting) && latest.current(),
      { rootMargin: '400px' },
    )
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [isWhole, listed])
  if (isWhole) return null
  return (
    <p ref={end} class="faint small">
      {listed >= MOST ? `The first ${MOST} are listed. A filter or other words find the others.` : 'More …'}
    </p>
  )
}

interface FilterChoice {
  readonly facets: TypedAnswer['facets']
  readonly chosen: Readonly<Record<string, string>>
  readonly change: (changes: Readonly<Record<string, string>>) => void
  readonly setWide: (isWide: boolean) => void
}

function Filters({ facets, chosen: values, change, setWide }: FilterChoice) {
  return (
    <aside class="filters" aria-label="Filters">
      {FILTERS.map(([name, title]) => {
        const { values: counts = [], others = 0 } = facets[name] ?? {}
        const chosen = values[name]
        const isListed = chosen === undefined || counts.some(([value]) => value === chosen)
        const entries = isListed ? counts : [...counts, [chosen, 0] as const]
        const isComing = name === 'trust' && !facets.trust && Object.keys(facets).length > 0
        if (entries.length === 0 && !isComing) return null
        return (
          <fieldset key={name} class={`filter-${name}`}>
            <legend>{title}</legend>
            {entries.length === 0 && <span class="chip faint">checking signatures …</span>}
            {entries.map(([value, count]) => (
              <button
                key={value}
                type="button"
                class="chip"
                aria-pressed={chosen === value}
                onClick={() => change({ [name]: chosen === value ? '' : value })}
              >
                <span>{name === 'trust' ? trustWord(value) : <Name text={value} />}</span>{' '}
                <span class="chip-count">{count}</span>
              </button>
            ))}
            {others > 0 && (
              <button type="button" class="chip faint" onClick={() => setWide(true)}>
                {others} more …
              </button>
            )}
          </fieldset>
        )
      })}
    </aside>
  )
}

/** A query that does not parse, with the place where it went wrong. */
function Slip({ query, failure }: { query: string; failure: Failure }) {
  const { offset } = failure
  return (
    <>
      {offset !== undefined && (
        <pre class="slip" aria-hidden="true">
          {query.slice(0, offset)}
          <mark>{query.slice(offset, offset + 1) || ' '}</mark>
          {query.slice(offset + 1)}
        </pre>
      )}
      <Sorry failure={failure} />
    </>
  )
}
