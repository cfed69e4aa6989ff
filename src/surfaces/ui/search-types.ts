// What the page is told about a search in addition to the action's answer.

/** The number of hits for each value, highest first, over the hits of all pages. */
export interface CountedFacet {
  readonly values: readonly (readonly [value: string, count: number])[]
  /** How many more values there are. */
  readonly others: number
}

export interface Typed {
  /** The query that was finally used: as typed, or with its last word completed. */
  readonly asked: string
  /** By `type`, `space`, `category` and `trust`. Without `trust` until every signature has been checked. */
  readonly facets: Readonly<Record<string, CountedFacet>>
  /** The shared catalogue has not answered in time; a patient search waits for it. */
  readonly late?: true
}
