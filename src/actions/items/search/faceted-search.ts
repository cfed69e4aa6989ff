// The search of every surface, with facets, by which people narrow down what was found.
import type { Facet } from '../../../search/index.ts'
import type { Action } from '../../definition/action.ts'
import { search } from './definition.ts'

export type { Facet, FacetCounts } from '../../../search/index.ts'

export interface FacetedSearch {
  readonly facets: readonly Facet[]
  /** Whether an empty answer suggests what else to ask. */
  readonly hints: boolean
  /** If no item has all words, finds nothing instead of items with some of them. */
  readonly needsAllWords: boolean
  /** Whether to wait for a slow catalogue. */
  readonly isPatient: boolean
  /** Called when the catalogue was not waited for and may still answer. */
  readonly onLate: () => void
}

/** The answer also has `facets`, if anything was found. */
export function facetedSearch(options: FacetedSearch): Action<typeof search.fields> {
  return {
    ...search,
    run: async (context, input) => (await import('./search-items.ts')).searchItems(context, input, options),
  }
}
