// The seam of every parser: text in, metadata, body and diagnostics out. Nothing is executed, nothing is thrown.
import type { Diagnostic, JsonValue } from '../base/index.ts'

/** Parsed metadata. Made with a null prototype, so that no key of a file can reach one. */
export type Metadata = { [key: string]: JsonValue }

export interface ParseResult {
  readonly metadata: Metadata
  /** What is read, followed or run: the text without its metadata. */
  readonly body: string
  /** What a reader is shown of a body in which metadata stand: all of it but those. */
  readonly prose?: string
  /** What else is written outside of the body and of what the metadata say: searched, never followed. */
  readonly aside?: string
  readonly diagnostics: readonly Diagnostic[]
}

/** A source that has passed the door: decoded, within its size, without NUL or byte order mark, lines ended by LF. */
export interface Source {
  readonly text: string
  /** With its dot, lower case: `.md`. */
  readonly extension: string
  /** Metadata and body are wanted, not every mistake: code whose inside says nothing of them may go unread. */
  readonly outline?: boolean | undefined
}

export interface Parser {
  /** As named in the extractors: `markdown/xml`, `python/ast` ... */
  readonly name: string
  /** May throw only on a bug; the door turns even that into a diagnostic. */
  parse(source: Source): ParseResult | Promise<ParseResult>
}
