export { compileQuery, isQuestion, type MatchMode, type QueryOptions } from './compile-query.ts'
export { DocSet, popCount } from './doc-set.ts'
export { type FieldWeights, fieldWeights, type SearchDocument, searchDocument } from './document.ts'
export { cosines, fuseScores, unitVector, type VectorTable } from './fuse.ts'
export { byLengthThenText, Lexicon, type LexiconEntry } from './lexicon.ts'
export { type Expansion, evaluateClause, matchLeaf, type TermSource } from './match-leaf.ts'
export { fieldOf, MAX_POSITION, MAX_TEXT, placeOf, positionOf, VALUE_GAP } from './place.ts'
export { stem } from './porter.ts'
export { findMask, type Occurrences, type Postings } from './postings.ts'
export { previewAround, previewSource } from './preview.ts'
export {
  type Collection,
  type DocumentTable,
  isSameScale,
  measureCollection,
  roundScore,
  type Scale,
  scoreDocuments,
  strengthsOf,
  type TableTotals,
  totalTable,
} from './rank.ts'
export { measureRankings, type RetrievalFigures } from './retrieval-metrics.ts'
export { ANALYSIS_VERSION, nameKey, type PlainWord, scanTokens, type TokenKind } from './tokenize.ts'
export { TopHits } from './top-hits.ts'
export type { Clause, Emphasis, EngineQuery, Leaf, Pattern, Reading } from './types.ts'
export { FieldSums, mergeLists } from './unite-lists.ts'
