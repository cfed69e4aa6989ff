import type { IndexedItem, TouchedFile } from '../indexed-item.ts'
import type { Draft } from './draft.ts'

export interface Changes {
  /** A draft takes less memory, where there are many. */
  readonly upsert: readonly IndexedItem[] | Draft
  /** Files with a new state and the content that the index holds. */
  readonly touch?: readonly TouchedFile[]
  /** Paths. */
  readonly remove: readonly string[]
}
