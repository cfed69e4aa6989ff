// A revocation: a document that ends the trust in a key. Signed by the key itself, it holds for everybody.
// Without a signature it is one user's decision, and counts only in their user space.

import { isRecord } from '../base/index.ts'
import { readPublicKey, type SigningKey } from './key.ts'
import {
  invalidKey,
  MAX_IDENTITY_BYTES,
  onlyKeys,
  printPem,
  quoteToml,
  readPem,
  readToml,
  textField,
} from './key-document.ts'
import { isFingerprint, isTimestamp } from './signature-line.ts'
import { isStatementOf, signStatement } from './statement.ts'

export interface Revocation {
  readonly fingerprint: string
  readonly at: string
  /** The reason, in the words of the person who revoked it; may be empty. */
  readonly reason: string
  /** Signature by the key itself. Absent for one user's decision. */
  readonly signed?: { readonly pem: string; readonly signature: string }
}

const CATEGORY = 'keys/revoked'
const FIELDS = new Set(['version', 'category', 'fingerprint', 'at', 'reason', 'signature', 'public_key'])

/** Makes the revocation that the owner of a key publishes. */
export function revokeKey(key: SigningKey, { at, reason }: Pick<Revocation, 'at' | 'reason'>): Revocation {
  const { fingerprint, publicPem } = key
  const signature = signStatement('rye-revocation-v1', [fingerprint, at, reason], key)
  return { fingerprint, at, reason, signed: { pem: publicPem, signature } }
}

export function printRevocation({ fingerprint, at, reason, signed }: Revocation): string {
  return [
    'version = "1.0.0"',
    `category = ${quoteToml(CATEGORY)}`,
    `fingerprint = ${quoteToml(fingerprint)}`,
    `at = ${quoteToml(at)}`,
    `reason = ${quoteToml(reason)}`,
    ...(signed ? [`signature = ${quoteToml(signed.signature)}`, '', ...printPem(signed.pem)] : []),
    '',
  ].join('\n')
}

/** Reads a revocation and checks its signature, if there is one. Otherwise throws `KEY_INVALID`. */
export async function parseRevocation(text: string): Promise<Revocation> {
  if (Buffer.byteLength(text) > MAX_IDENTITY_BYTES) throw invalidKey('the file is too large for a revocation')
  const document = await readToml(text)
  if (!isRecord(document) || document.category !== CATEGORY)
    throw invalidKey(`expected a revocation, whose \`category\` is \`${CATEGORY}\``)
  const fields = onlyKeys(document, FIELDS, 'the document')
  const [fingerprint, at, reason] = [
    textField(fields, 'fingerprint'),
    textField(fields, 'at'),
    textField(fields, 'reason', ''),
  ]
  if (!isFingerprint(fingerprint)) throw invalidKey('expected `fingerprint` to be 16 lower-case hex digits')
  if (!isTimestamp(at)) throw invalidKey('expected `at` to be a time such as `2026-02-23T05:24:41Z`')
  if (fields.signature === undefined && fields.public_key === undefined) return { fingerprint, at, reason }
  const signature = textField(fields, 'signature')
  const key = readPublicKey(readPem(fields.public_key))
  if (key.fingerprint !== fingerprint)
    throw invalidKey(`the revocation of ${fingerprint} holds the key ${key.fingerprint}`)
  if (!isStatementOf(key, 'rye-revocation-v1', [fingerprint, at, reason], signature))
    throw invalidKey(`the revocation is not signed by ${fingerprint}, the key that it revokes`)
  return { fingerprint, at, reason, signed: { pem: key.pem, signature } }
}

/** Whether a document claims to be a revocation; nothing is checked. */
export function looksLikeRevocation(text: string): boolean {
  return /^\s*category\s*=\s*["']keys\/revoked["']/m.test(text)
}
