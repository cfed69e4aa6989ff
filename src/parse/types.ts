// The interface of every parser: text in, metadata, body and diagnostics out. Nothing is executed, nothing is thrown.
import type { Diagnostic, JsonValue } from '../base/index.ts'

/** Parsed metadata. Has a null prototype, so no key of a file can reach one. */
export type Metadata = { [key: string]: JsonValue }

export interface ParseResult {
  readonly metadata: Metadata
  /** The metadata with numbers and booleans as spelled (`1.10`). Absent if the parser does not keep this. */
  readonly written?: Metadata
  /** What is read, followed or run: the text without its metadata. */
  readonly body: string
  /** For a body that contains metadata: the body without it, which is what a reader is shown. */
  readonly prose?: string
  /** Other text, in neither the body nor the metadata: searched, never followed. */
  readonly aside?: string
  /** Fields that could not be kept completely; a diagnostic says why. If there are very many, only some. */
  readonly leftOut?: readonly string[]
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * A source as `parseBytes` passes it on: decoded, within its size, without NUL or byte order mark, lines
 * ended by LF.
 */
export interface Source {
  readonly text: string
  /** With its dot, lower case: `.md`. */
  readonly extension: string
  /** Only metadata and body are needed, not every mistake: code that does not affect them may be skipped. */
  readonly outline?: boolean | undefined
}

export interface Parser {
  /** As named in the extractors: `markdown/xml`, `python/ast` ... */
  readonly name: string
  /** May throw only on a bug; `parseBytes` turns even that into a diagnostic. */
  parse(source: Source): ParseResult | Promise<ParseResult>
}
