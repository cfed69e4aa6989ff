// Bytes to text, strictly: a file that is not UTF-8, or contains a NUL, is refused with the position of the mistake.
import { type Diagnostic, LineMap } from '../base/index.ts'

export interface DecodedText {
  /** Absent when the bytes are refused. */
  readonly text?: string
  readonly diagnostics: readonly Diagnostic[]
}

export function decodeText(bytes: Uint8Array): DecodedText {
  const text = tryDecode(withLineFeeds(bytes))
  if (text === undefined) {
    const invalid = findInvalidUtf8(bytes)
    const byte = bytes[invalid]!.toString(16).padStart(2, '0')
    return refuse(bytes, invalid, 'utf8-invalid', `expected UTF-8, got the byte \`0x${byte}\``)
  }
  const nul = bytes.indexOf(0)
  if (nul !== -1) return refuse(bytes, nul, 'nul-byte', 'expected text, got a NUL byte')
  if (!text.startsWith('\ufeff')) return { text, diagnostics: [] }
  const message = 'the byte order mark is left out; save the file without it'
  return {
    text: text.slice(1),
    diagnostics: [{ severity: 'warning', code: 'byte-order-mark', message, line: 1, column: 1 }],
  }
}

function refuse(bytes: Uint8Array, offset: number, code: string, message: string): DecodedText {
  const before = DECODER.decode(bytes.subarray(0, offset))
  const position = new LineMap(before).position(before.length)
  return { diagnostics: [{ severity: 'error', code, message, ...position }] }
}

const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Undefined when the bytes are not UTF-8. */
function tryDecode(bytes: Uint8Array): string | undefined {
  try {
    return DECODER.decode(bytes)
  } catch {
    // The caller finds the position.
    return undefined
  }
}

/** CRLF and CR as LF. On bytes, because replacing millions of matches in a string takes seconds. */
function withLineFeeds(bytes: Uint8Array): Uint8Array {
  if (!bytes.includes(0x0d)) return bytes
  const result = new Uint8Array(bytes.length)
  let length = 0
  for (let i = 0; i < bytes.length; i++) {
    const isReturn = bytes[i] === 0x0d
    if (isReturn && bytes[i + 1] === 0x0a) continue
    result[length++] = isReturn ? 0x0a : bytes[i]!
  }
  return result.subarray(0, length)
}

/** The offset of the first byte that is not part of a well-formed sequence, or -1. Agrees with `TextDecoder`. */
function findInvalidUtf8(bytes: Uint8Array): number {
  let i = 0
  while (i < bytes.length) {
    const lead = bytes[i]!
    if (lead < 0x80) {
      i++
      continue
    }
    const length = sequenceLength(lead)
    if (length === 0 || !isSecondByte(lead, bytes[i + 1])) return i
    for (let k = 2; k < length; k++) if (!isContinuation(bytes[i + k])) return i
    i += length
  }
  return -1
}

function sequenceLength(lead: number): number {
  if (lead >= 0xc2 && lead <= 0xdf) return 2
  if (lead >= 0xe0 && lead <= 0xef) return 3
  if (lead >= 0xf0 && lead <= 0xf4) return 4
  return 0
}

// Four lead bytes narrow their second byte: overlong forms, surrogates and code points past U+10FFFF.
function isSecondByte(lead: number, second: number | undefined): boolean {
  if (!isContinuation(second)) return false
  if (lead === 0xe0) return second! >= 0xa0
  if (lead === 0xed) return second! <= 0x9f
  if (lead === 0xf0) return second! >= 0x90
  if (lead === 0xf4) return second! <= 0x8f
  return true
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x80 && byte <= 0xbf
}
