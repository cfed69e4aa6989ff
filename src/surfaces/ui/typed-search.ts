// A search while someone types, answered in one exchange: the hits, how many there are of each kind, and,
// when no item has all the words, what the last word would find as a prefix.
import {
  type Facet,
  type FacetCounts,
  type FacetedSearch,
  facetedSearch,
  type SearchAnswer,
} from '../../actions/index.ts'
import { isRecord } from '../../base/index.ts'
import type { Library } from '../../workspace/index.ts'
import { type CallOptions, runPageAction } from './call-action.ts'
import { completeWord } from './complete-word.ts'
import type { CountedFacet, Typed } from './search-types.ts'
import type { StatusOf } from './summary-types.ts'

export interface TypedSearch {
  /** The input of the action. */
  readonly input: Readonly<Record<string, unknown>>
  /** The chosen value of each facet. */
  readonly chosen: Readonly<Record<string, string>>
  /** The number of values returned per facet. */
  readonly most: number
  /** Whether an empty answer suggests other queries. */
  readonly hints: boolean
  /** Whether to wait for a slow shared catalogue. */
  readonly isPatient: boolean
}

/** `statusOf` is undefined until everything has been judged; until then trust is not counted. */
export async function searchTyped(
  library: Library,
  projectPath: string,
  {
    input,
    chosen,
    most,
    hints,
    isPatient,
    statusOf,
  }: TypedSearch & { readonly statusOf: StatusOf | undefined },
  options: CallOptions,
): Promise<object> {
  const facets = makeFacets(chosen, statusOf)
  const query = String(input.query ?? '')
  const search = async (asked: string, how: Pick<FacetedSearch, 'hints' | 'needsAllWords'>) => {
    let isLate = false
    const onLate = () => {
      isLate = true
    }
    const action = facetedSearch({ facets, isPatient, onLate, ...how })
    const answer = await runPageAction(library, projectPath, action, { ...input, query: asked }, options)
    return isFound(answer) ? describe(answer, { query, asked, most, isLate }) : answer
  }
  // Pages after the first continue the query that was used there.
  const begun = input.offset ? undefined : completeWord(query)
  const asTyped = () => search(query, { hints, needsAllWords: false })
  if (begun === undefined) return asTyped()
  const whole = await search(query, { hints: false, needsAllWords: true })
  if (!isFound(whole) || (whole.results[0] && !whole.results[0].partial)) return whole
  const more = await search(begun, { hints: false, needsAllWords: false })
  if (!isFound(more) || more.results.length === 0) return asTyped()
  // A warning about the pattern is not about anything the person typed.
  const { warning: _, ...rest } = more
  return rest
}

type Answer = SearchAnswer & { readonly facets?: FacetCounts }

export function isFound<T extends object>(answer: T): answer is T & Answer {
  return 'results' in answer
}

/** The same functions for every search, because their result for each item is remembered. */
const FACETS: readonly Facet[] = [
  { name: 'type', of: item => item.type },
  { name: 'space', of: item => item.space },
  { name: 'category', of: item => item.category },
]

function makeFacets(chosen: TypedSearch['chosen'], statusOf: StatusOf | undefined): Facet[] {
  const facets = statusOf ? [...FACETS, { name: 'trust', of: statusOf }] : FACETS
  return facets.map(facet => ({ ...facet, chosen: chosen[facet.name] }))
}

interface Described {
  readonly query: string
  readonly asked: string
  readonly most: number
  readonly isLate: boolean
}

function describe(answer: Answer, { query, asked, most, isLate }: Described): SearchAnswer & Typed {
  const facets = Object.fromEntries(
    Array.from(answer.facets ?? [], ([name, counts]): [string, CountedFacet] => {
      const values = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
      return [name, { values: values.slice(0, most), others: Math.max(0, values.length - most) }]
    }),
  )
  return { ...answer, query, asked, facets, ...(isLate && { late: true }) }
}

/** Reads the choices that the page sends beside the action's input; anything else counts as no choice. */
export function readChosen(raw: unknown): TypedSearch['chosen'] {
  const chosen = isRecord(raw) ? Object.entries(raw) : []
  return Object.fromEntries(
    chosen.filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== ''),
  )
}
