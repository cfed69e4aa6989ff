// What the page is told about a search beside what the action answers.

/** How many hits there are of each value, most first, over all hits that are listed on whatever page. */
export interface CountedFacet {
  readonly values: readonly (readonly [value: string, count: number])[]
  /** How many more values there are. */
  readonly others: number
}

export interface Typed {
  /** What was searched for in the end: the query, or the same with its last word completed. */
  readonly asked: string
  /** By `type`, `space`, `category` and `trust`; without the last until every signature has been checked. */
  readonly facets: Readonly<Record<string, CountedFacet>>
  /** The shared catalogue has not answered in time: who asks patiently waits for it. */
  readonly late?: true
}
