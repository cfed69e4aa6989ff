// How much a word counts in each field.
import type { Extractor } from '../../extract/index.ts'
import { SEARCH_FIELDS, type SearchField } from '../../query/index.ts'

/** The weight of each field, in the order of `SEARCH_FIELDS`. */
export type FieldWeights = readonly number[]

const DEFAULT_WEIGHTS: Readonly<Record<SearchField, number>> = {
  title: 3,
  name: 3,
  description: 2,
  category: 1.5,
  content: 1,
  parameters: 1,
  tags: 1.5,
  keywords: 2,
}

/** An extractor's weights; a field that it does not name has the default weight. */
export function fieldWeights(extractor: Pick<Extractor, 'searchFields'> | undefined): FieldWeights {
  return SEARCH_FIELDS.map(field => {
    const weight = extractor?.searchFields.get(field)
    return weight !== undefined && Number.isFinite(weight) && weight >= 0 ? weight : DEFAULT_WEIGHTS[field]
  })
}
