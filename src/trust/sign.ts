// Signs one item: removes every older signature line, puts the new one in its place, keeps all other bytes.
// `verify` accepts whatever this produces (v1 of a directive only where policy allows partial coverage).
import { sign as signEd25519 } from 'node:crypto'
import { AppError, type Diagnostic, sha256Hex } from '../base/index.ts'
import { checkId, type SignedType } from '../item/index.ts'
import { lineAt, lineNumberAt } from './byte-line.ts'
import { findHiddenText } from './hidden-text.ts'
import type { SigningKey } from './key.ts'
import { legacyHash } from './legacy-hash.ts'
import {
  encodeSignature,
  isProvenance,
  isTimestamp,
  printSignatureLine,
  readSignatureLine,
  SIDECAR_MARKS,
} from './signature-line.ts'
import {
  endingFor,
  findSignatures,
  hasByteOrderMark,
  isShebangAt,
  splitSignedContent,
} from './signed-content.ts'
import { fileNameOf, messageV1, messageV2, type SignedClaim } from './signed-message.ts'
import type { SignatureLine, SignedFile } from './types.ts'

const CR = 13

export interface SignOptions {
  /** `YYYY-MM-DDTHH:MM:SSZ`. */
  readonly timestamp: string
  /** `provider@user`. */
  readonly provenance?: string
  /** v1 writes what the older system accepts; it covers less. */
  readonly format: 'v1' | 'v2'
}

export interface SignedResult {
  /** The item's new bytes; unchanged when the signature is detached. */
  readonly bytes: Uint8Array
  /** The bytes of the signature file, for detached formats. */
  readonly detached?: Uint8Array
  readonly signature: SignatureLine & { readonly encoded: string }
  /** Invisible characters with positions in the new bytes; removed lines with positions in the old. */
  readonly warnings: readonly Diagnostic[]
}

export function sign(
  file: Omit<SignedFile, 'detached'>,
  key: SigningKey,
  options: SignOptions,
): SignedResult {
  const named = { type: file.type, id: file.id, file: checkId(fileNameOf(file)) }
  if (file.format.detached) {
    const line = makeLine(named, file.bytes, key, options)
    const detached = Buffer.from(`${printSignatureLine(line, SIDECAR_MARKS)}\n`)
    return {
      bytes: file.bytes,
      detached,
      signature: withEncoding(line),
      warnings: findHiddenText(file.bytes),
    }
  }
  const { shebang, body, warnings } = removeSignatures(file)
  const covered = Buffer.concat([shebang, body])
  const line = makeLine(named, covered, key, options)
  const printed = Buffer.from(printSignatureLine(line, file.format) + endingFor(covered))
  const bytes = Buffer.concat([shebang, printed, body])
  return { bytes, signature: withEncoding(line), warnings: [...warnings, ...findHiddenText(bytes)] }
}

/** The bytes of an item without its signature, for comparing two edits of it. */
export function bareContent(file: Omit<SignedFile, 'detached'>): Uint8Array {
  if (file.format.detached) return file.bytes
  const { shebang, body } = removeSignatures(file)
  return Buffer.concat([shebang, body])
}

/** Puts an item's signature line above other content. It does not fit, but says whose item it was. */
export function withSignatureOf(file: Omit<SignedFile, 'detached'>, bare: Uint8Array): Uint8Array {
  const { format } = file
  const content = format.detached ? undefined : splitSignedContent(file.bytes, format)
  if (content?.kind !== 'signed') return bare
  const at = format.afterShebang && isShebangAt(bare, 0) ? lineAt(bare, 0).next : 0
  const printed = Buffer.from(printSignatureLine(content.line, format) + endingFor(bare))
  return Buffer.concat([bare.subarray(0, at), printed, bare.subarray(at)])
}

/** Makes an item's signature line over these covered bytes. */
export function makeLine(
  item: Pick<SignedClaim, 'type' | 'id' | 'file'>,
  covered: Uint8Array,
  key: SigningKey,
  options: SignOptions,
): SignatureLine {
  const { timestamp, provenance = null, format } = options
  checkId(item.id)
  if (!isTimestamp(timestamp))
    throw new AppError(
      'INVALID_INPUT',
      `expected a timestamp such as \`2026-02-23T05:24:41Z\`, got \`${timestamp}\``,
    )
  if (provenance !== null && !isProvenance(provenance))
    throw new AppError(
      'INVALID_INPUT',
      `expected a provenance of the form \`provider@user\`, got \`${provenance}\``,
    )
  const hash = format === 'v2' ? sha256Hex(covered) : oldHashOf(item, covered)
  const message =
    format === 'v2'
      ? messageV2({ type: item.type, id: item.id, file: item.file, timestamp, provenance, hash })
      : messageV1(hash)
  const signature = signEd25519(null, message, key.privateKey)
  return { timestamp, hash, signature, fingerprint: key.fingerprint, provenance }
}

function oldHashOf(item: { readonly type: SignedType; readonly id: string }, covered: Uint8Array): string {
  // The older system reads CR as LF, so it would sign bytes other than those that run.
  const hash = covered.includes(CR) ? undefined : legacyHash(item.type, covered)
  if (hash !== undefined) return hash
  throw new AppError('ITEM_MALFORMED', `${item.type} \`${item.id}\` cannot carry a v1 signature`, {
    hint: 'v1 needs UTF-8 text whose lines end in LF, a `<directive>` block in a directive, and knows no skills; sign it as v2',
  })
}

/** Splits a file, without its byte order mark and signature lines, into its shebang and the rest. */
function removeSignatures(file: Omit<SignedFile, 'detached'>): {
  shebang: Uint8Array
  body: Uint8Array
  warnings: Diagnostic[]
} {
  const { format } = file
  const warnings: Diagnostic[] = []
  let body = file.bytes
  if (hasByteOrderMark(body)) {
    body = body.subarray(3)
    warnings.push(warn('byte-order-mark', 'removed the byte order mark', 1))
  }
  body = dropLeading(body, format)
  let shebang: Uint8Array = new Uint8Array()
  if (format.afterShebang && isShebangAt(body, 0)) {
    const line = lineAt(body, 0)
    shebang = line.ending === '' ? Buffer.concat([body, Buffer.from('\n')]) : body.subarray(0, line.next)
    body = dropLeading(body.subarray(line.next), format)
  }
  for (
    let at = findSignatures(body, format, 0)[0];
    at !== undefined;
    at = findSignatures(body, format, 0)[0]
  ) {
    const place = lineNumberAt(file.bytes, file.bytes.length - body.length + at)
    warnings.push(warn('stray-signature', 'removed a signature line that was after content', place))
    body = Buffer.concat([body.subarray(0, at), body.subarray(lineAt(body, at).next)])
  }
  return { shebang, body, warnings }
}

function dropLeading(bytes: Uint8Array, format: SignedFile['format']): Uint8Array {
  let start = 0
  while (start < bytes.length) {
    const line = lineAt(bytes, start)
    if (readSignatureLine(line.text, format).kind === 'content') break
    start = line.next
  }
  return bytes.subarray(start)
}

function withEncoding(line: SignatureLine): SignedResult['signature'] {
  return { ...line, encoded: encodeSignature(line.signature) }
}

function warn(code: string, message: string, line: number): Diagnostic {
  return { severity: 'warning', code, message, line, column: 1 }
}
