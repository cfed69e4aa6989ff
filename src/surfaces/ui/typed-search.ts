// A search while somebody types, answered in one exchange: the hits, how many there are of each kind, and, where no item has all the
// words, what the last one would find if it were finished.
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
  /** Of the action. */
  readonly input: Readonly<Record<string, unknown>>
  /** By facet, the value that is left. */
  readonly chosen: Readonly<Record<string, string>>
  /** Values of one facet that are told. */
  readonly most: number
  /** Whether an empty answer says what else might be asked. */
  readonly hints: boolean
  /** Whether a shared catalogue that is slow is waited for. */
  readonly isPatient: boolean
}

/** `statusOf` is undefined as long as nobody has looked at everything: trust is not counted then. */
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
  // Pages after the first go on with what was searched for there.
  const begun = input.offset ? undefined : completeWord(query)
  const asTyped = () => search(query, { hints, needsAllWords: false })
  if (begun === undefined) return asTyped()
  const whole = await search(query, { hints: false, needsAllWords: true })
  if (!isFound(whole) || (whole.results[0] && !whole.results[0].partial)) return whole
  const more = await search(begun, { hints: false, needsAllWords: false })
  if (!isFound(more) || more.results.length === 0) return asTyped()
  // What it may say about the pattern is nothing that was typed.
  const { warning: _, ...rest } = more
  return rest
}

type Answer = SearchAnswer & { readonly facets?: FacetCounts }

export function isFound<T extends object>(answer: T): answer is T & Answer {
  return 'results' in answer
}

/** The same functions for each search: what they say of an item is remembered. */
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

/** What the page sends beside the input of the action; anything else is no choice. */
export function readChosen(raw: unknown): TypedSearch['chosen'] {
  const chosen = isRecord(raw) ? Object.entries(raw) : []
  return Object.fromEntries(
    chosen.filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== ''),
  )
}
