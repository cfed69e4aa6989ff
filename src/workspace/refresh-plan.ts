// What the index of a space is made from, and the stamp under which it is up to date. A search loads only
// this when nothing was written.
import { sha256Hex } from '../base/index.ts'
import type { Extractors } from '../extract/index.ts'
import type { Space } from '../item/index.ts'
import { type ItemRoot, stampFound } from '../scan/index.ts'
import type { SearchIndex } from '../search/index.ts'
import { digestExtractors } from './extractor-digest.ts'
import type { FoundSpaces } from './types.ts'

/** The files of one space, and how they are read. */
export interface RefreshPlan {
  readonly space: Space
  /** Item roots only: `config` files are signed, but not searched. */
  readonly roots: readonly ItemRoot[]
  readonly extractors: Extractors
  /** Paths in the index are relative to this. */
  readonly base: string
}

/** Whether the files of a space have the stamp under which all of them were indexed. */
export function isSpaceUnchanged(index: SearchIndex, plan: RefreshPlan, spaces: FoundSpaces): boolean {
  const found = spaces.get(plan.space)
  const last = found && index.lastRefresh(plan.space)
  return last !== undefined && last.findStamp === stampUnder(plan, stampFound(found!))
}

export function stampUnder(plan: RefreshPlan, stamp: string | undefined): string | undefined {
  return stamp && sha256Hex(`${stamp} ${rulesOf(plan)}`)
}

/** An index also depends on its extractors, and on the base of its paths. */
export function rulesOf({ base, extractors }: RefreshPlan): string {
  return sha256Hex(JSON.stringify([base, [...digestExtractors(extractors)]]))
}
