// A page of results in which trust counts: of two items that score the same, the one that can be loaded comes first; those that cannot
// be loaded are left out, if the user's policy says so. The index knows nothing of trust, so the hits of the page are judged, and more of
// them where a page ends between equals.
import type { SearchAnswer as IndexAnswer, SearchRequest, SearchRow } from '../../../search/index.ts'
import type { LiveIndex, Workspace } from '../../../workspace/index.ts'
import { type Described, describeResult } from './describe-result.ts'

/** Whether items that could not be loaded are in answers. */
export type Unverified = 'show' | 'hide'

/** The most hits that are judged for one page; hits beyond them are in the order of the index. */
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

export function readTrustedFirst(asked: PageRequest): Page {
  const { request, unverified } = asked
  const { offset, limit } = request
  const isByScore = request.sortBy === 'score'
  if (offset >= WINDOW || (unverified === 'show' && !isByScore)) {
    const answer = asked.index.search(request)
    return { answer, described: without(unverified, describe(asked, answer.rows)), hidden: 0 }
  }
  if (offset === 0 && unverified === 'show') return readFirstPage(asked)
  const answer = asked.index.search({ ...request, offset: 0, limit: Math.max(WINDOW, offset + limit) })
  const described = describe(asked, answer.rows)
  const first = without(unverified, described.slice(0, WINDOW))
  const hidden = Math.min(described.length, WINDOW) - first.length
  if (isByScore) first.sort(byTrust)
  const page = [...first, ...without(unverified, described.slice(WINDOW))].slice(offset, offset + limit)
  return { answer, described: page, hidden }
}

/** Where the page ends between equals of which one cannot be loaded, the others are judged as well. */
function readFirstPage(asked: PageRequest): Page {
  const { index, request } = asked
  let described: Described[] = []
  const wantsEquals = (page: readonly SearchRow[]) => {
    described = describe(asked, page)
    const last = page.at(-1)
    return described.some(hit => !hit.isUsable && last !== undefined && areEqual(hit, last))
  }
  const answer = index.search({ ...request, wantsEquals })
  described.push(...describe(asked, answer.rows.slice(described.length)))
  return { answer, described: described.sort(byTrust).slice(0, request.limit), hidden: 0 }
}

type Ranked = Pick<SearchRow, 'tier' | 'score'>

function describe({ workspace }: PageRequest, rows: readonly SearchRow[]): Described[] {
  return rows.map(row => describeResult(workspace, row))
}

/** The order of the index, but among equals what can be loaded first. */
function byTrust(a: Described, b: Described): number {
  if (areEqual(a, b)) return Number(b.isUsable) - Number(a.isUsable)
  return a.tier - b.tier || b.score - a.score
}

function areEqual(a: Ranked, b: Ranked): boolean {
  return a.tier === b.tier && a.score === b.score
}

function without(unverified: Unverified, described: readonly Described[]): Described[] {
  return unverified === 'show' ? [...described] : described.filter(({ isUsable }) => isUsable)
}
