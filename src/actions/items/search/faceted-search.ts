// The search of every surface, with facets: for whoever narrows what was found.
import type { Facet } from '../../../search/index.ts'
import type { Action } from '../../definition/action.ts'
import { search } from './definition.ts'

export type { Facet, FacetCounts } from '../../../search/index.ts'

export interface FacetedSearch {
  readonly facets: readonly Facet[]
  /** Whether an empty answer says what else might be asked. */
  readonly hints: boolean
  /** Nothing is found where no item has all words. */
  readonly needsAllWords: boolean
  /** Whether a catalogue that is slow is waited for. */
  readonly isPatient: boolean
  /** Called where it was not, and may answer yet. */
  readonly onLate: () => void
}

/** Its answer has `facets` besides, where anything was found. */
export function facetedSearch(options: FacetedSearch): Action<typeof search.fields> {
  return {
    ...search,
    run: async (context, input) => (await import('./search-items.ts')).searchItems(context, input, options),
  }
}
