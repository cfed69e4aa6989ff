// Search as you type: everything that is asked for is in the address.
import { useMemo, useRef } from 'preact/hooks'
import type { Failure, SearchAnswer, SearchResult } from 'ryekit'
import { Empty, Foreign, Go, Sorry, Trust, Type, useLinks, Waiting } from '../parts/basics.tsx'
import { LIMIT, useSearch } from '../search/use-search.ts'
import { useParams } from '../state.tsx'

/** Of a description. */
const LONGEST = 400
const FILTERS = [
  ['type', 'Type'],
  ['space', 'Space'],
  ['trust', 'Trust'],
  ['category', 'Category'],
] as const
type Filter = (typeof FILTERS)[number][0]

export function SearchPage() {
  const [params, change] = useParams()
  const query = params.q?.trim() || '*'
  const sort =
    params.sort === 'name' || params.sort === 'date' ? params.sort : query === '*' ? 'name' : 'score'
  const chosen = FILTERS.filter(([name]) => params[name])
  // Values of the address are checked by the action. Trust is not known to the index: it is looked for among what was found.
  const { found, all } = useSearch({
    query,
    sort,
    filters: {
      ...(params.type && { item_type: params.type as 'tool' }),
      ...(params.space && { source: params.space as 'user' }),
      ...(params.category && { category: params.category }),
    },
    isSifted: Boolean(params.trust),
  })
  const { answer, failure } = found
  const filters = chosen.map(([name]) => `${name} ${params[name]}`).join('\n')
  const results = useMemo(
    () =>
      (answer?.results ?? []).filter(result =>
        chosen.every(([name]) => facetOf(result, name) === params[name]),
      ),
    [answer, filters],
  )
  // The same element is not drawn again: a key that changes neither costs neither.
  const list = useMemo(() => <Results results={results} />, [results])
  const sidebar = useMemo(
    () => (
      <Filters
        all={all}
        chosen={Object.fromEntries(chosen.map(([name]) => [name, params[name]!]))}
        change={change}
      />
    ),
    [all, filters, change],
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
                {results.length < answer.total && chosen.length === 0
                  ? `${results.length} of ${answer.total}`
                  : results.length}
                {results.length === 1 && answer.total === 1 ? ' item' : ' items'}
                {answer.weaker ? <span class="faint"> · {answer.weaker} weaker left out</span> : null}
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
            {results.length === 0 ? (
              <Empty title="Nothing fits">
                <p>{answer.hint ?? 'Take a filter away, or use other words.'}</p>
              </Empty>
            ) : (
              list
            )}
          </section>
        </div>
      )}
    </>
  )
}

function facetOf(result: SearchResult, name: Filter): string {
  if (name === 'type') return result.type
  if (name === 'space') return result.source
  if (name === 'trust') return result.trust?.status ?? 'verified'
  return result.category
}

interface FilterChoice {
  readonly all: SearchAnswer | undefined
  readonly chosen: Readonly<Record<string, string>>
  readonly change: (changes: Readonly<Record<string, string>>) => void
}

function Filters({ all, chosen: values, change }: FilterChoice) {
  const { results = [], total = 0 } = all ?? {}
  return (
    <aside class="filters" aria-label="Filters">
      {FILTERS.map(([name, title]) => {
        const counts = new Map<string, number>()
        for (const result of results)
          counts.set(facetOf(result, name), (counts.get(facetOf(result, name)) ?? 0) + 1)
        const chosen = values[name]
        if (chosen && !counts.has(chosen)) counts.set(chosen, 0)
        const entries = [...counts].filter(([value]) => value !== '').sort((a, b) => b[1] - a[1])
        if (entries.length === 0) return null
        return (
          <fieldset key={name}>
            <legend>{title}</legend>
            {entries.slice(0, 12).map(([value, count]) => (
              <button
                key={value}
                type="button"
                class="chip"
                aria-pressed={chosen === value}
                onClick={() => change({ [name]: chosen === value ? '' : value })}
              >
                <span>{value === 'tampered' ? 'changed' : value}</span>{' '}
                <span class="chip-count">{count}</span>
              </button>
            ))}
          </fieldset>
        )
      })}
      {total > LIMIT && <p class="faint small">Counts are of the first {LIMIT}.</p>}
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
      {results.map(result => (
        <Hit key={`${result.type} ${result.source} ${result.id}`} result={result} />
      ))}
    </ol>
  )
}

function Hit({ result }: { result: SearchResult }) {
  const links = useLinks()
  const { id, type, source, description, preview, matched = {}, trust } = result
  const words = [...new Set(Object.values(matched).flat())].filter(word => word.length > 1)
  return (
    <li>
      <Go to={links.item({ type, space: source, id })} class="hit">
        <span class="hit-head">
          <Type type={type} />
          <span class="hit-id">
            <Marked text={id} words={words} />
          </span>
          {result.partial && <span class="faint small">some words</span>}
          <span class="hit-end">
            {trust && trust.status !== 'verified' && <Trust status={trust.status} />}
            <span class="space">{source}</span>
          </span>
        </span>
        {description && (
          <span class="hit-text">
            <Marked text={description.slice(0, LONGEST)} words={words} />
          </span>
        )}
        {preview && (
          <span class="hit-preview">
            <Marked text={preview} words={words} />
          </span>
        )}
      </Go>
      {words.length > 0 && (
        <details class="why">
          <summary>why</summary>
          <dl>
            {Object.entries(matched).map(([field, found]) => (
              <div key={field}>
                <dt>{field}</dt>
                <dd>{found.join(', ')}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </li>
  )
}

/** Words that matched stand out. */
function Marked({ text, words }: { text: string; words: readonly string[] }) {
  if (words.length === 0) return <Foreign text={text} />
  const escaped = words
    .map(word => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .sort((a, b) => b.length - a.length)
  const parts = text.split(new RegExp(`(${escaped.join('|')})`, 'gi'))
  return (
    <>
      {parts.map((part, index) =>
        index % 2 === 1 ? (
          <mark key={index}>
            <Foreign text={part} />
          </mark>
        ) : (
          <Foreign key={index} text={part} />
        ),
      )}
    </>
  )
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
