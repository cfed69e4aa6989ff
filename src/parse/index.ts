export { type ParseOptions, parseBytes } from './parse-bytes.ts'
export { PARSER_NAMES } from './parsers.ts'
export type { Metadata, ParseResult, Parser, Source } from './types.ts'
