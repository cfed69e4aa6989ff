// A page of results in which trust counts: an item that could not be loaded scores less than one of equal worth that could, or is left
// out, if the user's policy says so. The index knows nothing of trust, so the hits of the page are judged, and those after it that
// could take their places.
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

/** Where some of the page could not be loaded, those after it that may be better by that are judged as well. */
function readFirstPage(asked: PageRequest): Page {
  const { index, request } = asked
  let described: Described[] = []
  const wantsSigned = (page: readonly SearchRow[]) => {
    described = describe(asked, page)
    const last = described.filter(({ tier }) => tier === page.at(-1)?.tier)
    return last.every(({ isUsable }) => isUsable)
      ? undefined
      : Math.min(...last.map(({ result }) => result.score))
  }
  const answer = index.search({ ...request, wantsSigned })
  described.push(...describe(asked, answer.rows.slice(described.length)))
  return { answer, described: described.sort(byTrust).slice(0, request.limit), hidden: 0 }
}

function describe({ workspace }: PageRequest, rows: readonly SearchRow[]): Described[] {
  return rows.map(row => describeResult(workspace, row))
}

/** The order of the index, with what each is worth; among equals what can be loaded comes first. */
function byTrust(a: Described, b: Described): number {
  return a.tier - b.tier || b.result.score - a.result.score || Number(b.isUsable) - Number(a.isUsable)
}

function without(unverified: Unverified, described: readonly Described[]): Described[] {
  return unverified === 'show' ? [...described] : described.filter(({ isUsable }) => isUsable)
}
