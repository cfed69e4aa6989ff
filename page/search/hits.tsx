// The hits of a search as a list, drawn anew with every key press.
import { type ComponentChildren, Fragment } from 'preact'
import { useMemo, useRef, useState } from 'preact/hooks'
import type { SearchResult } from 'ryekit'
import { escapePattern } from '../../src/base/escape-pattern.ts'
import { foreign, Go, type Links, Trust, Type, useLinks } from '../parts/basics.tsx'
import { keyOf } from './use-search.ts'

/** Characters of a description; no hit shows more. */
const LONGEST = 600
/** A longer id may be wider than a narrow window. */
const LONG_ID = 28

export function Results({ results }: { results: readonly SearchResult[] }) {
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
        // Keyed by position: each key press finds other hits, and reusing elements is faster than making new
        // ones.
        <Hit key={place} result={result} />
      ))}
    </ol>
  )
}

function Hit({ result }: { result: SearchResult }) {
  const links = useLinks()
  // A longer query often finds the same item by the same words; then nothing is drawn again.
  return useMemo(() => drawHit(result, links), [JSON.stringify(result), links])
}

/**
 * Calls functions instead of rendering components, except for the parts the reader acts on: ten hits have to
 * be drawn with each key press.
 */
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
          {result.copies && <span class="faint small">stands for {result.copies} equal items</span>}
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

/** Allows a break after each slash; only for long ids, which are rare. */
function markParts(id: string, mark: (text: string) => ComponentChildren) {
  return id.split(/(?<=\/)/).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {mark(part)}
    </Fragment>
  ))
}

/** Rendered when first opened: few are, and each key press lists other hits. */
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

/** Makes the words that matched stand out. */
function markerOf(words: readonly string[]): (text: string) => ComponentChildren {
  if (words.length === 0) return foreign
  const escaped = words.map(escapePattern).sort((a, b) => b.length - a.length)
  const pattern = new RegExp(`(${escaped.join('|')})`, 'gi')
  return text =>
    text
      .split(pattern)
      .map((part, index) => (index % 2 === 1 ? <mark key={index}>{foreign(part)}</mark> : foreign(part)))
}
