// Reads a page of results in which trust counts: an item that could not be loaded scores less than an equal
// one that could, or is left out if the user's policy says so. The index knows nothing of trust, so the hits
// of the page are judged here, and those after it that could take their places.
import type { RankedGuest } from '../../../catalogue/index.ts'
import type { SearchAnswer as IndexAnswer, SearchRequest, SearchRow } from '../../../search/index.ts'
import type { LiveIndex, Workspace } from '../../../workspace/index.ts'
import { type Described, describeResult, type Judge, pageJudge } from './describe-result.ts'

/** Whether items that could not be loaded are in answers. */
export type Unverified = 'show' | 'hide'

/**
 * Pages that begin after this many hits are in the order of the index. So an item that moved up to an earlier
 * page may appear again after it, and one that it displaced may not appear at all. Nobody is known to read
 * that far, and anyone who did would otherwise wait for all earlier hits to be judged.
 */
const WINDOW = 1000
/** How many hits are read at once when only loadable items are wanted. */
const FIRST_USABLE = 100

export interface Page {
  readonly answer: IndexAnswer
  readonly described: readonly Described[]
  /** All matches that were not left out here, including those not looked at. */
  readonly total: number
  /** How many were left out for lack of a good signature. */
  readonly hidden: number
}

export interface PageRequest {
  readonly index: Pick<LiveIndex, 'search'>
  readonly workspace: Workspace
  readonly request: SearchRequest
  readonly unverified: Unverified
  /** The candidates of a catalogue. */
  readonly shared?: RankedGuest | undefined
}

export function readTrustedFirst({ unverified, ...asked }: PageRequest): Page {
  const { workspace, request, shared } = asked
  const judge = pageJudge(workspace, shared)
  const prefers = (row: SearchRow) => describeResult(workspace, row, judge).isUsable
  const index = shared ? { search: (one: SearchRequest) => asked.index.search(one, shared) } : asked.index
  const { approvals: approved } = workspace.trust
  // In development mode unsigned items can be loaded too.
  const prefersSigned = !workspace.library.devMode
  const preferring = { ...asked, index, judge, request: { ...request, approved, prefers, prefersSigned } }
  if (unverified === 'hide') return readUsable(preferring)
  return request.offset >= WINDOW || request.sortBy !== 'score'
    ? readAsFound(preferring)
    : readInOrder(preferring)
}

interface Asked extends Omit<PageRequest, 'unverified' | 'shared'> {
  readonly judge: Judge
}

function readAsFound(asked: Asked): Page {
  const answer = asked.index.search(asked.request)
  return { answer, described: describe(asked, answer.rows), total: answer.total, hidden: 0 }
}

/**
 * Reads all hits up to the end of the page and, if some of them could not be loaded, hits after it that take
 * their places, until as many could be loaded as there are places. It starts from the first hit, so that each
 * page continues where the one before ended.
 */
function readInOrder(asked: Asked): Page {
  const { offset, limit } = asked.request
  const described: Described[] = []
  let last: { readonly tier: number; readonly places: number; readonly least: number } | undefined
  const wantsSigned = (rows: readonly SearchRow[]) => {
    described.push(...describe(asked, rows))
    last ??= lastTier(described)
    return last && countUsable(described, last.tier) < last.places ? { least: last.least } : undefined
  }
  const answer = asked.index.search({ ...asked.request, offset: 0, limit: offset + limit, wantsSigned })
  const page = described.sort(byTrust).slice(offset, offset + limit)
  return { answer, described: page, total: answer.total, hidden: 0 }
}

/** The same, but only with items that could be loaded, whatever their score. */
function readUsable(asked: Asked): Page {
  const { offset, limit, sortBy } = asked.request
  const request = { ...asked.request, onlySigned: !asked.workspace.library.devMode }
  const isDeep = offset >= WINDOW
  const described: Described[] = []
  const wantsSigned = (rows: readonly SearchRow[]) => {
    described.push(...describe(asked, rows))
    return !isDeep && described.filter(isUsable).length < offset + limit ? ('all' as const) : undefined
  }
  const first = isDeep ? { offset, limit } : { offset: 0, limit: Math.max(FIRST_USABLE, offset + limit) }
  const answer = asked.index.search({ ...request, ...first, wantsSigned })
  const usable = described.filter(isUsable)
  if (sortBy === 'score') usable.sort(byTrust)
  const refused = described.length - usable.length
  // A page that is not full is the last: nothing that could be loaded is left.
  const isLast = !isDeep && usable.length < offset + limit
  return {
    answer,
    described: isDeep ? usable : usable.slice(offset, offset + limit),
    total: isLast ? usable.length + answer.weaker : answer.total - refused,
    hidden: refused + answer.unsigned,
  }
}

function isUsable(described: Described): boolean {
  return described.isUsable
}

/** The tier in which a page ends: how many places it has there, and the lowest score among them. */
function lastTier(page: readonly Described[]) {
  const tier = page.at(-1)?.tier
  if (tier === undefined) return undefined
  const scores = page.filter(one => one.tier === tier).map(({ result }) => result.score)
  return { tier, places: scores.length, least: Math.min(...scores) }
}

function countUsable(described: readonly Described[], tier: number): number {
  return described.filter(one => one.isUsable && one.tier === tier).length
}

function describe({ workspace, judge }: Asked, rows: readonly SearchRow[]): Described[] {
  return rows.map(row => describeResult(workspace, row, judge))
}

/** The order of the index, with the adjusted scores; among equals, what can be loaded comes first. */
function byTrust(a: Described, b: Described): number {
  return a.tier - b.tier || b.result.score - a.result.score || Number(b.isUsable) - Number(a.isUsable)
}
