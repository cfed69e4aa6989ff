// What the map of the page is drawn from.

export interface ReferenceMap {
  readonly items: readonly {
    readonly item_type: string
    readonly item_id: string
    readonly space: string
    readonly category: string
  }[]
  /** Positions in `items`: the first speaks of the second. */
  readonly references: readonly (readonly [number, number])[]
}
