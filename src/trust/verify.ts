// From bytes, type, id and trusted keys to a verdict. The order of the checks defines the statuses: can the
// line be read (malformed), do the bytes match it (tampered), is the key known (untrusted), did that key make
// this signature for this item (tampered), do policy and the key's bounds accept it (untrusted). Every
// signature is judged here, so bounds and revocations hold everywhere.
import { verify as verifyEd25519 } from 'node:crypto'
import { sha256Hex, shortenText } from '../base/index.ts'
import { idProblem, type SignedType } from '../item/index.ts'
import { approvedVerdict } from './approval.ts'
import { type BoundedItem, outsideBounds } from './bounds.ts'
import { unifyLineEndings } from './byte-line.ts'
import { isFuture } from './clock.ts'
import { legacyHash } from './legacy-hash.ts'
import { BY_AGENT, SIDECAR_MARKS } from './signature-line.ts'
import { type SignedContent, splitSignedContent } from './signed-content.ts'
import { fileNameOf, messageV1, messageV2, type SignedClaim } from './signed-message.ts'
import type { SignatureLine, SignedFile, TrustContext, TrustedKey, Verdict } from './types.ts'

/** Judges one item. Never throws; anything that cannot be read is `malformed`. */
export function verify(file: SignedFile, context: TrustContext): Verdict {
  const own = verifyOwn(file, context)
  if (own.status === 'verified' || isOfRevoked(own, context)) return own
  const name = `${file.type}:${file.id}${file.extension}`
  const approved = approvedVerdict({ ...file, name, digest: () => sha256Hex(file.bytes) }, context)
  // The same bytes get the same hash, whoever vouches for them.
  return approved ? { ...approved, hash: own.hash ?? approved.hash } : own
}

/**
 * An approval does not rescue an item signed by a revoked key: it may have been given because of that key,
 * for example under another id. Signing the item anew makes it usable.
 */
export function isOfRevoked(
  { signer }: Pick<Verdict, 'signer'>,
  { revoked }: Pick<TrustContext, 'revoked'>,
): boolean {
  return signer !== null && revoked.has(signer)
}

/** Judges by the item's own signature only. */
function verifyOwn(file: SignedFile, context: TrustContext): Verdict {
  const problem = idProblem(file.id) ?? idProblem(fileNameOf(file))
  if (problem !== undefined) return refuse('malformed', `invalid item id: ${problem}`)
  const digests = context.manifest.get(`${file.type}:${file.id}${file.extension}`)
  if (digests !== undefined) {
    const digest = sha256Hex(file.bytes)
    if (digests.includes(digest)) return systemVerdict(digest)
  }
  const content = file.format.detached
    ? splitDetached(file.bytes, file.detached)
    : splitSignedContent(file.bytes, file.format)
  if (content.kind === 'signed') return judge({ ...file, file: fileNameOf(file) }, content, context)
  const lost = content.kind === 'unsigned' && digests !== undefined
  return refuse(
    content.kind,
    lost ? `${content.reason}, and it is not the system item of this name` : content.reason,
  )
}

/** Judges a signature line and the bytes it covers, as one item. */
export function judge(
  item: Pick<SignedClaim, 'type' | 'id' | 'file'> & BoundedItem,
  content: { readonly line: SignatureLine; readonly covered: Uint8Array },
  context: TrustContext,
): Verdict {
  const { line, covered } = content
  const claimed = { signer: line.fingerprint, timestamp: line.timestamp }
  if (isFuture(line.timestamp, context.now))
    return { ...refuse('malformed', `the timestamp ${line.timestamp} is in the future`), ...claimed }

  const hash = sha256Hex(covered)
  const revoked = context.revoked.get(line.fingerprint)
  const trusted = revoked === undefined ? context.keys.get(line.fingerprint) : undefined
  const key = trusted?.key
  const message = messageV2({ type: item.type, id: item.id, file: item.file, ...line })
  const isV2 = key !== undefined && verifyEd25519(null, message, key, line.signature)
  if (isV2 && hash === line.hash)
    return within(
      {
        ...{ status: 'verified', format: 'v2', coverage: 'full', hash, ...claimed },
        ...(line.provenance === BY_AGENT && { by_agent: true }),
      },
      outsideBounds(trusted!, item, context.now),
    )

  const oldHash = legacyHash(item.type, covered)
  if (line.hash !== hash && line.hash !== oldHash)
    return {
      ...refuse('tampered', differenceFrom(line.hash, item.type, covered)),
      // The key did sign this item, with other content.
      format: isV2 ? 'v2' : null,
      hash,
      ...claimed,
    }

  // An unsigned provenance could be anyone's, so it counts as an uncovered part.
  const full = line.hash === hash && line.provenance === null
  const found = {
    format: line.hash === hash ? null : ('v1' as const),
    coverage: line.hash === hash ? ('full' as const) : ('partial' as const),
    hash: line.hash,
    ...claimed,
  }
  if (key === undefined) return { ...found, status: 'untrusted', reason: distrust(line.fingerprint, revoked) }
  if (line.hash !== oldHash || !verifyEd25519(null, messageV1(line.hash), key, line.signature))
    return {
      ...found,
      status: 'tampered',
      reason: `the signature does not belong to ${item.type} \`${item.id}\` in a file \`${item.file}\` as signed by ${line.fingerprint}`,
    }
  const old = { ...found, format: 'v1' as const, coverage: full ? ('full' as const) : ('partial' as const) }
  if (full || context.policy.legacy === 'allow')
    return within({ ...old, status: 'verified' }, outsideOld(trusted!, item, context.now))
  return {
    ...old,
    status: 'untrusted',
    reason: 'the old signature leaves part of the file uncovered; sign it again',
  }
}

function within(verdict: Verdict, outside: string | undefined): Verdict {
  return outside === undefined ? verdict : { ...verdict, status: 'untrusted', reason: outside }
}

/** An old signature names no item, so it could have been made for one outside the bounds, and moved. */
function outsideOld(key: TrustedKey, item: BoundedItem, now: Date): string | undefined {
  const outside = outsideBounds(key, item, now)
  if (outside !== undefined || key.bounds?.for === undefined) return outside
  return `key ${key.fingerprint} is trusted for some ids only, and its old signature names none; sign it again`
}

function distrust(fingerprint: string, revoked: { readonly reason: string } | undefined): string {
  if (revoked === undefined) return `key ${fingerprint} is not trusted`
  return `key ${fingerprint} is revoked${revoked.reason === '' ? '' : `: ${shortenText(revoked.reason, 200)}`}`
}

/** The verdict on a system item, known by its digest. */
export function systemVerdict(hash: string): Verdict {
  return { status: 'verified', format: 'manifest', coverage: 'full', hash, signer: 'system', timestamp: null }
}

export function refuse(status: 'malformed' | 'unsigned' | 'tampered', reason: string): Verdict {
  return { status, format: null, coverage: null, hash: null, signer: null, timestamp: null, reason }
}

/** A signature file contains its line and nothing else. */
function splitDetached(bytes: Uint8Array, sidecar: Uint8Array | undefined): SignedContent {
  if (sidecar === undefined) return { kind: 'unsigned', reason: 'no signature file next to it' }
  const content = splitSignedContent(sidecar, { ...SIDECAR_MARKS, afterShebang: false })
  if (content.kind !== 'signed') return content
  if (content.covered.length > 0)
    return { kind: 'malformed', reason: 'the signature file has more than one line' }
  return { ...content, covered: bytes }
}

/** Line endings converted by another program are the usual reason, and hard to see. */
function differenceFrom(signed: string, type: SignedType, covered: Uint8Array): string {
  const unified = unifyLineEndings(covered)
  return signed === sha256Hex(unified) || signed === legacyHash(type, unified)
    ? 'its lines end in CRLF, and the signed ones in LF: restore them, or sign it again'
    : `content differs: signed ${short(signed)}, found ${short(sha256Hex(covered))}`
}

function short(hash: string): string {
  return `${hash.slice(0, 16)}...`
}
