// A page of results in which trust counts: an item that could not be loaded scores less than one of equal worth that could, or is left
// out, if the user's policy says so. The index knows nothing of trust, so the first hits are judged, and ordered again when
// there are such items among them.
import type { SearchAnswer as IndexAnswer, SearchRequest } from '../../../search/index.ts'
import type { LiveIndex, Workspace } from '../../../workspace/index.ts'
import { type Described, describeResult } from './describe-result.ts'

/** Whether items that could not be loaded are in answers. */
export type Unverified = 'show' | 'hide'

/** The hits that are judged, whatever the page; hits beyond them are in the order of the index. */
const WINDOW = 100

export interface Page {
  readonly answer: IndexAnswer
  readonly described: readonly Described[]
  /** How many were left out for want of a good signature. */
  readonly hidden: number
}

export interface PageRequest {
  readonly index: LiveIndex
  readonly workspace: Workspace
  readonly request: SearchRequest
  readonly unverified: Unverified
}

export function readTrustedFirst({ index, workspace, request, unverified }: PageRequest): Page {
  const { offset, limit } = request
  const answer = index.search(request)
  const described = answer.rows.map(row => describeResult(workspace, row))
  const isPlain = request.sortBy !== 'score' || described.every(({ isUsable }) => isUsable)
  if (offset >= WINDOW || (unverified === 'show' && offset === 0 && isPlain)) {
    return { answer, described: without(unverified, described), hidden: 0 }
  }
  const all = index
    .search({ ...request, offset: 0, limit: Math.max(WINDOW, offset + limit) })
    .rows.map(row => describeResult(workspace, row))
  const first = without(unverified, all.slice(0, WINDOW))
  const hidden = Math.min(all.length, WINDOW) - first.length
  if (request.sortBy === 'score') first.sort((a, b) => a.tier - b.tier || b.result.score - a.result.score)
  const page = [...first, ...without(unverified, all.slice(WINDOW))].slice(offset, offset + limit)
  return { answer, described: page, hidden }
}

function without(unverified: Unverified, described: readonly Described[]): Described[] {
  return unverified === 'show' ? [...described] : described.filter(({ isUsable }) => isUsable)
}
