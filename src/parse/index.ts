export type { Metadata, ParseResult, Parser, Source } from './types.ts'
