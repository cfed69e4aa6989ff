// Turns a row of the index into a result, with the verdict on its file as it is now and what shadows it.
import type { RankedGuest } from '../../../catalogue/index.ts'
import { categoryOf } from '../../../item/index.ts'
import type { SearchRow } from '../../../search/index.ts'
import { isUsable, type Judged, judgeCandidate, type Workspace } from '../../../workspace/index.ts'
import type { FullResult } from './answer.ts'
import { cutAtWord } from './cut-at-word.ts'

export interface Described {
  readonly result: FullResult
  /** The first sort criterion. */
  readonly tier: number
  /** The item could be loaded. */
  readonly isUsable: boolean
  /** The content of the file is not the one that was indexed. */
  readonly isOutdated: boolean
}

/** The longest description that the specification of Agent Skills allows. */
const MAX_DESCRIPTION = 1024
/** Factor for the score of an item that could not be loaded: anybody may fill one with popular words. */
const UNVERIFIED = 0.9

/** Judges rows. Each item of a page is judged once. */
export type Judge = (row: SearchRow) => Judged

export function pageJudge(workspace: Workspace, shared?: RankedGuest): Judge {
  const judged = new Map<string, Judged>()
  return row => {
    const key = `${row.type}:${row.id}${row.extension}@${row.space}`
    const known = judged.get(key) ?? judge(workspace, row, shared)
    judged.set(key, known)
    return known
  }
}

export function describeResult(workspace: Workspace, row: SearchRow, judgeRow: Judge): Described {
  const spaces = row.spaces.filter(space => workspace.spaces.includes(space))
  const winner = spaces[0]
  const below = spaces.slice(spaces.indexOf(row.space) + 1)
  const { verdict, digest } = judgeRow(row)
  const isThis = digest !== undefined && row.hash.startsWith(`${digest}-`)
  const trust = workspace.memory.look(row, verdict, isThis ? row.version : undefined)
  const usable = isUsable(
    { verdict: trust, file: row },
    {
      devMode: workspace.library.devMode,
      refusesOlder: workspace.memory.refuses,
      userSpace: workspace.library.userSpace,
    },
  )
  // If the file has changed, the verdict is not about the indexed bytes: what those said is not shown beside
  // it.
  const said = isThis
    ? row
    : { title: row.name, description: '', category: categoryOf(row.id), preview: '', parameters: '' }
  const score = usable ? row.score : roundScore(row.score * UNVERIFIED)
  const result: FullResult = {
    id: row.id,
    name: row.name,
    title: said.title,
    description: cutAtWord(said.description, MAX_DESCRIPTION),
    category: said.category,
    score,
    type: row.type,
    source: row.space,
    // Text that could not be loaded is not shown in pieces either.
    preview: usable ? said.preview : '',
    ...(usable && said.parameters !== '' && { parameters: said.parameters }),
    signed: trust.status !== 'unsigned',
    trust,
    ...(below.length > 0 && row.space === winner && { shadows: below.map(space => ({ space })) }),
    ...(winner !== undefined && row.space !== winner && { shadowed_by: winner }),
    ...(row.partial && { partial: true }),
    ...(row.copies > 1 && { copies: row.copies }),
    ...(row.meaningShare !== undefined && { score_parts: partsOf(score, row.meaningShare) }),
    ...(isThis && Object.keys(row.matched).length > 0 && { matched: row.matched }),
  }
  return {
    result,
    tier: row.tier,
    isUsable: usable,
    isOutdated: digest !== undefined && !isThis,
  }
}

/** The two parts add up to the score. */
function partsOf(score: number, meaningShare: number) {
  const meaning = roundScore(score * meaningShare)
  return { words: roundScore(score - meaning), meaning }
}

function roundScore(score: number): number {
  return Math.round(score * 10_000) / 10_000
}

function judge(workspace: Workspace, row: SearchRow, shared: RankedGuest | undefined): Judged {
  const candidate = row.space === 'shared' ? shared?.find(row) : undefined
  if (candidate) return { verdict: judgeCandidate(workspace, candidate), digest: candidate.digest }
  const { id, type, space, extension } = row
  return workspace.verdicts.judge({
    key: `${type}:${id}${extension}@${space} ${workspace.projectPath}`,
    find: () => workspace.find({ id, type, space, onlyExtension: extension }),
    read: workspace.read,
  })
}
