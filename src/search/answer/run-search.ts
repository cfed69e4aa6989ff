// Answers a search: what is asked for is compiled, hits are found, and the rows of their page are read.
import { compileQuery } from '../match/compile-query.ts'
import { sentenceEnds } from '../text/sentences.ts'
import { findAskedType } from './asked-type.ts'
import { rowChooser } from './choose-copy.ts'
import type { Copies } from './copies.ts'
import { Search } from './find-hits.ts'
import type { Hit } from './hit.ts'
import { cappedPatterns, unknownWords } from './query-hints.ts'
import { readPage } from './read-page.ts'
import type { SearchAnswer, SearchRequest } from './search-request.ts'
import type { OpenSpace } from './stored-space.ts'

/** Names and types are looked for in the beginning of a text: somebody may paste a book. */
const MAX_TEXT = 4096

/** Rows that are read at once where signed ones are still wanted. */
const SIGNED_BATCH = 50

/** `copies` says which documents of each space are equal; it is asked when several were found. */
export function runSearch(
  spaces: readonly OpenSpace[],
  whole: SearchRequest,
  copies: () => Copies,
): Omit<SearchAnswer, 'reset'> {
  const request = { ...whole, text: whole.text.slice(0, MAX_TEXT) }
  const asked = findAskedType(spaces, request)
  const compiled = compileQuery(request.query, {
    ...request,
    sentenceEnds: sentenceEnds(request.text),
    ...(asked && { ignored: asked.words }),
  })
  const search = new Search(spaces, { ...request, asked, copies }, compiled)
  const { hits, membersOf, signedAfter, total, weaker, unsigned, scored, facets } = search.find()
  const mayBeWanted = ({ at, doc }: Hit) => !request.prefersSigned || search.signed(at).has(doc)
  const why = { evidence: search.evidence(scored), meaning: search, isQuoted: mayBeWanted }
  const readRows = rowChooser({
    read: some => readPage(spaces, some, why),
    membersOf,
    isWanted: request.prefers,
    mayBeWanted,
  })
  const rows = readRows(hits)
  const wanted = request.wantsSigned?.(rows)
  const after = wanted ? signedAfter(wanted) : []
  for (let at = 0; at < after.length; at += SIGNED_BATCH) {
    const batch = readRows(after.slice(at, at + SIGNED_BATCH))
    rows.push(...batch)
    if (!request.wantsSigned?.(batch)) break
  }
  return {
    rows,
    total,
    weaker,
    unsigned,
    ...(facets && { facets }),
    byMeaning: search.meaning.isUsed,
    capped: cappedPatterns(spaces, compiled.leaves),
    unknown: request.suggests ? unknownWords(spaces, compiled.leaves) : [],
  }
}
