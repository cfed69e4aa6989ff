export { extractItem } from './extract-item.ts'
export { readExtractor } from './read-extractor.ts'
export type { Extractor, Extractors, ParsedItem } from './types.ts'
export { isHelper, validateItem } from './validate-item.ts'
