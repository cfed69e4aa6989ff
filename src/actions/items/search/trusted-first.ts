// A page of results in which trust counts: an item that could not be loaded scores less than one of equal worth that could, or is left
// out, if the user's policy says so. The index knows nothing of trust, so the hits of the page are judged, and those after it that
// could take their places.
import type { SearchAnswer as IndexAnswer, SearchRequest, SearchRow } from '../../../search/index.ts'
import type { LiveIndex, Workspace } from '../../../workspace/index.ts'
import { type Described, describeResult } from './describe-result.ts'

/** Whether items that could not be loaded are in answers. */
export type Unverified = 'show' | 'hide'

/** Pages that begin after this many hits are in the order of the index. */
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
  const isHiding = unverified === 'hide'
  if (request.offset >= WINDOW || (!isHiding && request.sortBy !== 'score')) {
    const answer = asked.index.search(request)
    return { answer, described: without(unverified, describe(asked, answer.rows)), hidden: 0 }
  }
  return isHiding ? readUsable(asked) : readInOrder(asked)
}

/**
 * All hits up to the end of the page, and those after it that take their places where some could not be loaded, until as many as
 * there are places could. From the first hit on, so that pages go on where the one before ended.
 */
function readInOrder(asked: PageRequest): Page {
  const { offset, limit } = asked.request
  const described: Described[] = []
  let last: { readonly tier: number; readonly places: number; readonly least: number } | undefined
  const wantsSigned = (rows: readonly SearchRow[]) => {
    described.push(...describe(asked, rows))
    last ??= lastTier(described)
    return last && countUsable(described, last.tier) < last.places ? { least: last.least } : undefined
  }
  const answer = asked.index.search({ ...asked.request, offset: 0, limit: offset + limit, wantsSigned })
  return { answer, described: described.sort(byTrust).slice(offset, offset + limit), hidden: 0 }
}

/** The same with only what could be loaded, of whatever score. */
function readUsable(asked: PageRequest): Page {
  const { offset, limit, sortBy } = asked.request
  const described: Described[] = []
  const wantsSigned = (rows: readonly SearchRow[]) => {
    described.push(...describe(asked, rows))
    return countUsable(described) < offset + limit ? ('all' as const) : undefined
  }
  const window = Math.max(WINDOW, offset + limit)
  const answer = asked.index.search({ ...asked.request, offset: 0, limit: window, wantsSigned })
  const usable = without('hide', described)
  if (sortBy === 'score') usable.sort(byTrust)
  return {
    answer,
    described: usable.slice(offset, offset + limit),
    hidden: described.length - usable.length,
  }
}

/** The tier in which a page ends: the places that it has there, and the least that one of them is worth. */
function lastTier(page: readonly Described[]) {
  const tier = page.at(-1)?.tier
  if (tier === undefined) return undefined
  const scores = page.filter(one => one.tier === tier).map(({ result }) => result.score)
  return { tier, places: scores.length, least: Math.min(...scores) }
}

function countUsable(described: readonly Described[], tier?: number): number {
  return described.filter(one => one.isUsable && (tier === undefined || one.tier === tier)).length
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
