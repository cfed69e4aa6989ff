export { extractItem, type ItemSource } from './extract-item.ts'
export { type ReadExtractor, readExtractor } from './read-extractor.ts'
export type { ExtractionRule, Extractor, Extractors, FieldRule, Issue, ParsedItem } from './types.ts'
export { validateItem } from './validate-item.ts'
