import type { IndexedItem, TouchedFile } from '../indexed-item.ts'
import type { Draft } from './draft.ts'

export interface Changes {
  /** A draft takes less memory when there are many items. */
  readonly upsert: readonly IndexedItem[] | Draft
  /** Files with a new state whose content is what the index holds. */
  readonly touch?: readonly TouchedFile[]
  /** Paths. */
  readonly remove: readonly string[]
}
