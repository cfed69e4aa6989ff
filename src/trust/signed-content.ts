// Where a file's signature line may be, and which bytes it covers: all the others, exactly as they are. There
// is one place for it (line 1, or line 2 after a `#!` line) and at most one such line. A file that would
// cover the same bytes with its lines in another order is refused, so the order is covered too.
import type { SignatureFormat } from '../item/index.ts'
import { asBuffer, lineAt, lineNumberAt } from './byte-line.ts'
import { readSignatureLine, signatureOpening } from './signature-line.ts'
import type { SignatureLine } from './types.ts'

export type SignedContent =
  | { readonly kind: 'signed'; readonly line: SignatureLine; readonly covered: Uint8Array }
  | { readonly kind: 'unsigned'; readonly reason: string }
  | { readonly kind: 'malformed'; readonly reason: string }

type Placement = Omit<SignatureFormat, 'detached'>

export function splitSignedContent(bytes: Uint8Array, format: Placement): SignedContent {
  const start = hasByteOrderMark(bytes) ? 3 : 0
  const signatureAt = format.afterShebang && isShebangAt(bytes, start) ? lineAt(bytes, start).next : start
  const line = lineAt(bytes, signatureAt)
  const reading = readSignatureLine(line.text, format)
  if (reading.kind === 'malformed') return malformed(`signature line: ${reading.reason}`)
  if (reading.kind !== 'signature') {
    const stray = findSignatures(bytes, format, start)[0]
    if (stray !== undefined) return malformed(`${misplaced(bytes, stray)}, after other content`)
    return { kind: 'unsigned', reason: reading.kind === 'retired' ? reading.reason : 'no signature line' }
  }
  if (start !== 0) return malformed('a byte order mark precedes the signature line')
  if (line.ending === '') return malformed('the signature line does not end with a line feed')
  if (format.afterShebang && signatureAt === 0 && isShebangAt(bytes, line.next))
    return malformed('the signature line precedes the `#!` line')
  if (readSignatureLine(lineAt(bytes, line.next).text, format).kind !== 'content')
    return malformed(`a second signature line on line ${lineNumberAt(bytes, line.next)}`)
  const second = findSignatures(bytes, format, line.next)[0]
  if (second !== undefined) return malformed(`a second ${misplaced(bytes, second)}`)

  const covered =
    signatureAt === 0
      ? bytes.subarray(line.next)
      : Buffer.concat([bytes.subarray(0, signatureAt), bytes.subarray(line.next)])
  if (line.ending !== endingFor(covered))
    return malformed('the signature line does not end as the first line of the file does')
  return { kind: 'signed', line: reading.line, covered }
}

/**
 * The ending of the signature line over these bytes: that of their first line. No signature covers it, so
 * only one ending is allowed.
 */
export function endingFor(covered: Uint8Array): '\n' | '\r\n' {
  return lineAt(covered, 0).ending || '\n'
}

/** Offsets of well-formed signature lines at or after `from`, which must be the beginning of a line. */
export function findSignatures(bytes: Uint8Array, format: Placement, from: number): number[] {
  const buffer = asBuffer(bytes)
  const opening = Buffer.from(signatureOpening(format), 'latin1')
  const found: number[] = []
  for (let at = buffer.indexOf(opening, from); at !== -1; at = buffer.indexOf(opening, at + 1)) {
    if (at !== from && buffer[at - 1] !== 10) continue
    if (readSignatureLine(lineAt(buffer, at).text, format).kind === 'signature') found.push(at)
  }
  return found
}

export function hasByteOrderMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
}

export function isShebangAt(bytes: Uint8Array, offset: number): boolean {
  return bytes[offset] === 0x23 && bytes[offset + 1] === 0x21
}

function misplaced(bytes: Uint8Array, offset: number): string {
  return `signature line on line ${lineNumberAt(bytes, offset)}`
}

function malformed(reason: string): SignedContent {
  return { kind: 'malformed', reason }
}
