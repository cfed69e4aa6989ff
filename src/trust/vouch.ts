// A statement by which an older key vouches for its successor. It makes nothing trusted, but is shown to the
// person who decides.
import { sha256Hex } from '../base/index.ts'
import type { PublicKey, SigningKey } from './key.ts'
import { invalidKey, onlyKeys, quoteToml, textField } from './key-document.ts'
import { isFingerprint, isTimestamp } from './signature-line.ts'
import { isStatementOf, signStatement } from './statement.ts'

export interface Vouch {
  /** Fingerprint of the key that vouches. */
  readonly fingerprint: string
  readonly at: string
  readonly signature: string
}

/** Makes the statement by which an older key vouches for a new one. */
export function vouchFor(newPem: string, older: SigningKey, at: string): Vouch {
  const { fingerprint } = older
  return {
    fingerprint,
    at,
    signature: signStatement('rye-vouch-v1', fieldsOf(fingerprint, newPem, at), older),
  }
}

/** Whether this key vouched for a key with this PEM. */
export function isVouchOf(
  older: Pick<PublicKey, 'key' | 'fingerprint'>,
  newPem: string,
  vouch: Vouch,
): boolean {
  const { fingerprint, at, signature } = vouch
  return (
    older.fingerprint === fingerprint &&
    isStatementOf(older, 'rye-vouch-v1', fieldsOf(fingerprint, newPem, at), signature)
  )
}

export function readVouch(value: unknown): Vouch {
  const fields = onlyKeys(value, new Set(['fingerprint', 'at', 'signature']), '`vouch`')
  const [fingerprint, at, signature] = [
    textField(fields, 'fingerprint'),
    textField(fields, 'at'),
    textField(fields, 'signature'),
  ]
  if (!isFingerprint(fingerprint) || !isTimestamp(at))
    throw invalidKey('expected a fingerprint and a time in `[vouch]`')
  return { fingerprint, at, signature }
}

export function printVouch({ fingerprint, at, signature }: Vouch): string[] {
  return [
    '[vouch]',
    `fingerprint = ${quoteToml(fingerprint)}`,
    `at = ${quoteToml(at)}`,
    `signature = ${quoteToml(signature)}`,
  ]
}

function fieldsOf(fingerprint: string, newPem: string, at: string): string[] {
  return [fingerprint, sha256Hex(newPem), at]
}
