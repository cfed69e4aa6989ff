// The entry point to every parser. Any bytes give a result; nothing is thrown beyond this file. Sizes are
// bounded here and by each reader, which bounds the time.
import { type Diagnostic, shortenText } from '../base/index.ts'
import { type DecodedText, decodeText } from './decode-text.ts'
import { createMetadata, toMetadata } from './metadata.ts'
import { PARSERS, type ParserRow } from './parsers.ts'
import { reasonOf } from './report.ts'
import type { ParseResult, Source } from './types.ts'

export interface ParseOptions {
  /** Larger files are refused unread. Default: 8 MB for Markdown with front matter, 1 MB for every other parser. */
  readonly maxBytes?: number
  /** Read metadata and body as usual, but do not check the rest for mistakes. */
  readonly outline?: boolean | undefined
}

const MAX_DIAGNOSTICS = 100
const MAX_MESSAGE = 300

/** Parses a file's bytes. Never throws; metadata has null prototypes throughout and contains only JSON values. */
export async function parseBytes(
  parserName: string,
  bytes: Uint8Array,
  extension: string,
  options: ParseOptions = {},
): Promise<ParseResult> {
  const maxBytes = options.maxBytes ?? PARSERS.get(parserName)?.maxBytes
  if (maxBytes !== undefined && bytes.length > maxBytes) {
    return refusal('file-too-large', `expected at most ${maxBytes} bytes, got ${bytes.length}`)
  }
  return parseDecoded(parserName, decodeText(bytes), extension, options)
}

/** The same for bytes that are already decoded and known to be within the parser's size limit. */
export async function parseDecoded(
  parserName: string,
  { text, diagnostics }: DecodedText,
  extension: string,
  options: Pick<ParseOptions, 'outline'> = {},
): Promise<ParseResult> {
  const row = PARSERS.get(parserName)
  if (row === undefined) {
    const known = [...PARSERS.keys()].join(', ')
    return refusal('parser-unknown', `expected a parser (${known}), got \`${parserName}\``)
  }
  if (text === undefined) return { metadata: createMetadata(), body: '', diagnostics }
  if (text.trim() === '') return refusal('file-empty', 'expected an item, got an empty file')

  const result = await runParser(row, { text, extension: extension.toLowerCase(), outline: options.outline })
  return { ...result, diagnostics: tidy([...diagnostics, ...result.diagnostics]) }
}

async function runParser(row: ParserRow, source: Source): Promise<ParseResult> {
  try {
    const parser = await row.load()
    const result = await parser.parse(source)
    const diagnostics = [...result.diagnostics]
    const leftOut = new Set(result.leftOut)
    const metadata = toMetadata(result.metadata, (severity, code, message, lost = []) => {
      diagnostics.push({ severity, code, message, line: 1, column: 1 })
      for (const field of lost) leftOut.add(field)
    })
    return { ...result, metadata, diagnostics, ...(leftOut.size > 0 && { leftOut: [...leftOut] }) }
  } catch (thrown) {
    return refusal('parser-failure', `the parser failed: ${reasonOf(thrown)}`)
  }
}

function refusal(code: string, message: string): ParseResult {
  const diagnostic: Diagnostic = { severity: 'error', code, message, line: 1, column: 1 }
  return { metadata: createMetadata(), body: '', diagnostics: tidy([diagnostic]) }
}

// Messages quote the file, so they are shortened and put on one line, with hidden characters escaped.
function tidy(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const shown = diagnostics.slice(0, MAX_DIAGNOSTICS).map(diagnostic => {
    return { ...diagnostic, message: shortenText(diagnostic.message, MAX_MESSAGE) }
  })
  const last = diagnostics[MAX_DIAGNOSTICS]
  if (last === undefined) return shown
  const message = `${diagnostics.length - MAX_DIAGNOSTICS} more are not shown`
  return [...shown, { ...last, code: 'diagnostics-too-many', message }]
}
