// A document that matched, and where.
import type { Space } from '../../item/index.ts'
import type { StoredSpace } from './stored-space.ts'

/** One space of a search, in order of precedence. */
export interface OpenSpace {
  readonly space: Space
  readonly reader: StoredSpace
}

/** What comes before what: exactly this id, exactly this name, this name in another spelling, all words, some words. */
export const TIER = { id: 0, name: 1, spelling: 2, all: 3, some: 4 } as const

/** A document that matched. */
export interface Hit {
  readonly at: number
  readonly doc: number
  readonly score: number
  /** One of `TIER`. */
  readonly tier: number
}
