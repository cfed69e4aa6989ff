// The signature line: `rye:signed:TIMESTAMP:HASH:SIG:FP[|provider@user]` between comment marks. Every field
// has one length and one spelling and is read at a fixed offset, so changing any byte makes it another line.
// Other spellings are recognised only to be refused, or to be replaced when signing.
import type { SignatureFormat } from '../item/index.ts'
import type { SignatureLine } from './types.ts'

export type LineReading =
  | { readonly kind: 'signature'; readonly line: SignatureLine }
  /** A tag of an older system, or a placeholder: never a signature. */
  | { readonly kind: 'retired'; readonly reason: string }
  | { readonly kind: 'malformed'; readonly reason: string }
  | { readonly kind: 'content' }

type Marks = Pick<SignatureFormat, 'prefix' | 'suffix'>

/** Comment marks of a detached signature file. `sha256sum -c` reads `#` lines as comments. */
export const SIDECAR_MARKS: Marks = { prefix: '#', suffix: '' }

/** Provenance of items that an agent signs without a person. Provenance is part of what is signed. */
export const BY_AGENT = 'rye@agent'

const TAG = 'rye:signed:'
const RETIRED_TAGS = ['rye:validated:', 'kiwi-mcp:']
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/
const HASH = /^[0-9a-f]{64}$/
const FINGERPRINT = /^[0-9a-f]{16}$/
const PROVENANCE = /^[A-Za-z0-9_-]{1,64}@[A-Za-z0-9_-]{1,64}$/

/** Reads one line, given without its ending. */
export function readSignatureLine(text: string, marks: Marks): LineReading {
  const attempt = attemptedTag(text, marks)
  if (attempt === undefined) return { kind: 'content' }
  if (attempt !== TAG) return { kind: 'retired', reason: `\`${attempt}\` is the mark of an older system` }
  if (text.includes(':placeholder:')) return { kind: 'retired', reason: 'the signature is a placeholder' }

  const opening = openingOf(marks) + TAG
  const closing = closingOf(marks)
  if (!text.startsWith(opening) || !text.endsWith(closing) || text.length < opening.length + closing.length)
    return malformed(`expected \`${opening}...${closing}\` and nothing else on the line`)
  return readFields(text.slice(opening.length, text.length - closing.length))
}

/** The line without its ending. */
export function printSignatureLine(line: SignatureLine, marks: Marks): string {
  const { timestamp, hash, fingerprint, provenance } = line
  const fields = [timestamp, hash, encodeSignature(line.signature), fingerprint].join(':')
  return `${openingOf(marks)}${TAG}${fields}${provenance === null ? '' : `|${provenance}`}${closingOf(marks)}`
}

/** Base64url with padding: the only spelling that every version of the older system can read. */
export function encodeSignature(signature: Uint8Array): string {
  return `${Buffer.from(signature).toString('base64url')}==`
}

/** What every well-formed line with these marks begins with. */
export function signatureOpening(marks: Marks): string {
  return openingOf(marks) + TAG
}

export function isTimestamp(text: string): boolean {
  if (!TIMESTAMP.test(text)) return false
  // A round trip refuses 30 February and hour 24, which Date would carry over.
  const time = new Date(text)
  return !Number.isNaN(time.getTime()) && time.toISOString() === `${text.slice(0, -1)}.000Z`
}

export function isFingerprint(text: string): boolean {
  return FINGERPRINT.test(text)
}

export function isProvenance(text: string): boolean {
  return PROVENANCE.test(text)
}

/** The tag after the comment mark of a line; spaces around the mark are allowed. */
function attemptedTag(text: string, marks: Marks): string | undefined {
  const line = text.trimStart()
  if (!line.startsWith(marks.prefix)) return undefined
  const inner = line.slice(marks.prefix.length).trimStart()
  return [TAG, ...RETIRED_TAGS].find(tag => inner.startsWith(tag))
}

function readFields(fields: string): LineReading {
  const timestamp = fields.slice(0, 20)
  if (!isTimestamp(timestamp) || fields[20] !== ':')
    return malformed('expected a UTC timestamp such as `2026-02-23T05:24:41Z`')
  const hash = fields.slice(21, 85)
  if (!HASH.test(hash) || fields[85] !== ':') return malformed('expected a hash of 64 lower-case hex digits')
  const colon = fields.indexOf(':', 86)
  const signature = colon === -1 ? undefined : decodeSignature(fields.slice(86, colon))
  if (signature === undefined) return malformed('expected 64 bytes in canonical base64url as the signature')
  const fingerprint = fields.slice(colon + 1, colon + 17)
  if (!isFingerprint(fingerprint)) return malformed('expected a fingerprint of 16 lower-case hex digits')
  const rest = fields.slice(colon + 17)
  if (rest !== '' && !(rest.startsWith('|') && isProvenance(rest.slice(1))))
    return malformed('expected `|provider@user` or nothing after the fingerprint')
  const provenance = rest === '' ? null : rest.slice(1)
  return { kind: 'signature', line: { timestamp, hash, signature, fingerprint, provenance } }
}

// Node's decoder accepts other alphabets, stray bytes and non-zero trailing bits, so the result is encoded
// again and compared. Old files have it with or without padding; both are canonical.
export function decodeSignature(text: string): Uint8Array | undefined {
  const digits = text.length === 88 && text.endsWith('==') ? text.slice(0, 86) : text
  if (digits.length !== 86) return undefined
  const bytes = Buffer.from(digits, 'base64url')
  return bytes.length === 64 && bytes.toString('base64url') === digits ? bytes : undefined
}

function openingOf(marks: Marks): string {
  return marks.prefix === '' ? '' : `${marks.prefix} `
}

function closingOf(marks: Marks): string {
  return marks.suffix === '' ? '' : ` ${marks.suffix}`
}

function malformed(reason: string): LineReading {
  return { kind: 'malformed', reason }
}
