// One row of the index as a result: with its verdict, and with what shadows it.
import type { SearchRow } from '../../../search/index.ts'
import type { Verdict } from '../../../trust/index.ts'
import { isUsable, type Workspace } from '../../../workspace/index.ts'
import type { SearchResult } from './answer.ts'

export function describeResult(workspace: Workspace, row: SearchRow): SearchResult {
  const winner = row.spaces[0]
  const below = row.spaces.slice(row.spaces.indexOf(row.space) + 1)
  const trust = verdictOf(workspace, row)
  return {
    id: row.id,
    name: row.name,
    title: row.title,
    description: row.description,
    category: row.category,
    score: row.score,
    type: row.type,
    source: row.space,
    // Text that could not be loaded is not shown in pieces either.
    preview: isUsable({ verdict: trust, file: row }, workspace.library.devMode) ? row.preview : '',
    signed: trust.status !== 'unsigned',
    trust,
    ...(below.length > 0 && row.space === winner && { shadows: below.map(space => ({ space })) }),
    ...(winner !== undefined && row.space !== winner && { shadowed_by: winner }),
    ...(row.partial && { partial: true }),
    ...(Object.keys(row.matched).length > 0 && { matched: row.matched }),
  }
}

/** Cached by content where the digest in the index covers all that was signed: one file, with its signature in it. */
function verdictOf(workspace: Workspace, row: SearchRow): Verdict {
  const { id, type, space, extension } = row
  const read = () => workspace.read(workspace.find({ id, type, space, onlyExtension: extension }))
  const extractor = workspace.extractors.get(type)
  const isWhole =
    extractor?.itemFile === null && extractor.signatureFormats.get(extension)?.detached === false
  return isWhole
    ? workspace.verdicts.get(`${space}:${type}:${id}:${row.hash}`, read)
    : workspace.verdicts.judge(read)
}
