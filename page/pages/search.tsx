// Search as you type: everything that is asked for is in the address.
import { type ComponentChildren, Fragment } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Failure, SearchResult } from 'ryekit'
import type { TypedAnswer } from '../connection.ts'
import {
  Empty,
  foreign,
  Go,
  type Links,
  Name,
  Sorry,
  Trust,
  Type,
  trustWord,
  useLinks,
  Waiting,
} from '../parts/basics.tsx'
import { openIfAsked } from '../search/first-hit.ts'
import { listedOf, Shared } from '../search/late.tsx'
import { keyOf, MOST, useSearch } from '../search/use-search.ts'
import { useParams } from '../state.tsx'

/** Of a description: more than is shown of any. */
const LONGEST = 600
/** Of an id that may be wider than a narrow window. */
const LONG_ID = 28
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
  // The same element is not drawn again: a key that changes neither costs neither.
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
                {countOf(listedOf(answer))}
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

/** The first at once, and each after it a frame later: what was found is not kept waiting by the numbers beside it. */
function useAfterPaint<T>(value: T): T {
  const [painted, setPainted] = useState(value)
  useEffect(() => setPainted(value), [value])
  return painted ?? value
}

function countOf(count: number): string {
  return count === 1 ? '1 item' : `${count} items`
}

/** Below the hits: where it comes into sight, more are listed. */
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

function Results({ results }: { results: readonly SearchResult[] }) {
  const list = useRef<HTMLOListElement>(null)
  const move = (event: KeyboardEvent) => {
    const links = [...(list.current?.querySelectorAll<HTMLElement>('a') ?? [])]
    const at = links.indexOf(document.activeElement as HTMLElement)
    if (event.key === 'ArrowDown') links[Math.min(at + 1, links.length - 1)]?.focus()
    else if (event.key === 'ArrowUp' && at > 0) links[at - 1]?.focus()
    else if (event.key === 'ArrowUp' || event.key === 'Escape')
      document.querySelector<HTMLElement>('.search-field input')?.focus()
    else return
    event.preventDefault()
  }
  return (
    <ol class="results" ref={list} onKeyDown={move}>
      {results.map((result, place) => (
        // By place: each key finds others, and elements that are used again are drawn sooner than new ones.
        <Hit key={place} result={result} />
      ))}
    </ol>
  )
}

function Hit({ result }: { result: SearchResult }) {
  const links = useLinks()
  // A longer query often finds the same, by the same words: nothing is drawn again then.
  return useMemo(() => drawHit(result, links), [JSON.stringify(result), links])
}

/** By functions rather than components, but for what the reader acts on: there are ten of it to draw with a key. */
function drawHit(result: SearchResult, links: Links) {
  const { id, type, source, description, preview, matched = {}, trust } = result
  const words = [...new Set(Object.values(matched).flat())].filter(word => word.length > 1)
  const mark = markerOf(words)
  return (
    <li>
      <Go
        to={links.item({ type, space: source, id })}
        class={description || preview ? 'hit' : 'hit hit-short'}
      >
        <span class="hit-head">
          {Type({ type })}
          <span class="hit-id">{id.length > LONG_ID ? markParts(id, mark) : mark(id)}</span>
          {result.partial && <span class="faint small">some words</span>}
          <span class="hit-end">
            {trust && trust.status !== 'verified' && Trust(trust)}
            <span class="space">{source}</span>
          </span>
        </span>
        {description && <span class="hit-text">{mark(description.slice(0, LONGEST))}</span>}
        {preview && <span class="hit-preview">{mark(preview)}</span>}
      </Go>
      {words.length > 0 && <Why key={keyOf(result)} matched={matched} />}
    </li>
  )
}

/** Broken where its parts end: few are so long that they have to be. */
function markParts(id: string, mark: (text: string) => ComponentChildren) {
  return id.split(/(?<=\/)/).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {mark(part)}
    </Fragment>
  ))
}

/** Made when it is first opened: few are, and each key lists other hits. */
function Why({ matched }: { matched: NonNullable<SearchResult['matched']> }) {
  const [isAsked, setAsked] = useState(false)
  return (
    <details class="why" onToggle={() => setAsked(true)}>
      <summary>why</summary>
      {isAsked && (
        <dl>
          {Object.entries(matched).map(([field, found]) => (
            <div key={field}>
              <dt>{field}</dt>
              <dd>{found.join(', ')}</dd>
            </div>
          ))}
        </dl>
      )}
    </details>
  )
}

/** Words that matched stand out. */
function markerOf(words: readonly string[]): (text: string) => ComponentChildren {
  if (words.length === 0) return foreign
  const escaped = words
    .map(word => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .sort((a, b) => b.length - a.length)
  const pattern = new RegExp(`(${escaped.join('|')})`, 'gi')
  return text =>
    text
      .split(pattern)
      .map((part, index) => (index % 2 === 1 ? <mark key={index}>{foreign(part)}</mark> : foreign(part)))
}

/** A query that does not parse, with the place where it stops making sense. */
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
