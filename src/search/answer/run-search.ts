// Answers a search: compiles the query, finds the hits, and reads the rows of their page.
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

/** Only the start of a text is searched for names and types, since someone may paste a whole book. */
const MAX_TEXT = 4096

/** How many rows are read at once while signed ones are still wanted. */
const SIGNED_BATCH = 50

/** `copies` returns which documents of each space are equal. It is called only when several were found. */
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
