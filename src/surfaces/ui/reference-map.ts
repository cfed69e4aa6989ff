// The data for the map on the page.

export interface ReferenceMap {
  readonly items: readonly {
    readonly item_type: string
    readonly item_id: string
    readonly space: string
    readonly category: string
  }[]
  /** Pairs of indexes into `items`: the first mentions the second. */
  readonly references: readonly (readonly [number, number])[]
}
