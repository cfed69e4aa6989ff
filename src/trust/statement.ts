// What a key signs besides items: that it vouches for another key, that it is revoked, that its owner accepts
// items of others. Each kind has its own tag and each field its own line, so no statement can be read as
// another one, or as the signature of an item.
import { sign as signEd25519, verify as verifyEd25519 } from 'node:crypto'
import type { PublicKey, SigningKey } from './key.ts'
import { decodeSignature, encodeSignature } from './signature-line.ts'

export type StatementKind = 'rye-approval-v1' | 'rye-revocation-v1' | 'rye-vouch-v1'

export function signStatement(kind: StatementKind, fields: readonly string[], key: SigningKey): string {
  return encodeSignature(signEd25519(null, messageOf(kind, fields), key.privateKey))
}

export function isStatementOf(
  { key }: Pick<PublicKey, 'key'>,
  kind: StatementKind,
  fields: readonly string[],
  encoded: string,
): boolean {
  const signature = decodeSignature(encoded)
  return signature !== undefined && verifyEd25519(null, messageOf(kind, fields), key, signature)
}

/** JSON keeps each field on one line, whatever it contains. */
function messageOf(kind: StatementKind, fields: readonly string[]): Buffer {
  return Buffer.from([kind, ...fields.map(field => JSON.stringify(field)), ''].join('\n'))
}
