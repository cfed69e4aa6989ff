export { type Evaluation, evaluateRetrieval } from './evaluate.ts'
export type { Changes, FileFacts, IndexedItem, KnownFile, Snapshot } from './indexed-item.ts'
export { openIndex, type SearchIndex } from './search-index.ts'
export type { SearchAnswer, SearchRequest, SearchRow } from './search-request.ts'
