// A document that matched, and where.
import type { Space } from '../../item/index.ts'
import type { SpaceReader } from './space-reader.ts'

/** One space of a search, in order of precedence. */
export interface OpenSpace {
  readonly space: Space
  readonly reader: SpaceReader
}

/** A document that matched. */
export interface Hit {
  readonly at: number
  readonly doc: number
  readonly score: number
  /** 0: exactly this id; 1: exactly this name; 2: all words; 3: some words. */
  readonly tier: number
}
