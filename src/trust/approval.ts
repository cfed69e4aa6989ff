// An approval: a signed statement that somebody accepted exactly these bytes of items. It vouches for items
// that their maker did not sign, or signed with a key unknown here, and leaves the files as they came. One
// document covers everything accepted at one time: one line per item, in the form of `sha256sum`, and at the
// end the signature of the person who accepted.
import { AppError, quoteText } from '../base/index.ts'
import { idProblem, isItemType } from '../item/index.ts'
import { type BoundedItem, outsideBounds } from './bounds.ts'
import { isFuture } from './clock.ts'
import type { SigningKey } from './key.ts'
import { isFingerprint, isTimestamp } from './signature-line.ts'
import { isStatementOf, signStatement } from './statement.ts'
import type { ItemOrigin, TrustContext, Verdict } from './types.ts'

export interface ApprovalDocument extends ItemOrigin {
  readonly at: string
  /**
   * The key whose trust was the reason to accept the items, which have another name here. Absent when
   * somebody has looked at them.
   */
  readonly trusting?: string
  /** `TYPE:ID.EXTENSION` or `skill:ID` → digest. */
  readonly items: ReadonlyMap<string, string>
  readonly signer: string
  readonly signature: string
}

const FIRST_LINE = 'rye approval v1'
const MAX_FIELD = 2048
const DIGEST = /^[0-9a-f]{64}$/

export function approve(
  accepted: Omit<ApprovalDocument, 'signer' | 'signature'>,
  key: SigningKey,
): ApprovalDocument {
  const sorted = { ...accepted, items: new Map([...accepted.items].sort(([a], [b]) => (a < b ? -1 : 1))) }
  const document = { ...sorted, signer: key.fingerprint }
  return { ...document, signature: signStatement('rye-approval-v1', statementOf(document), key) }
}

export function printApproval(document: ApprovalDocument): string {
  return `${[...linesOf(document), `signed ${document.signer} ${document.signature}`].join('\n')}\n`
}

/** Does not check the signature. Throws `ITEM_MALFORMED`. */
function parseApproval(text: string): ApprovalDocument {
  const lines = text.split('\n')
  if (lines.pop() !== '') throw malformed('its last line has no line feed')
  const [first, at, source, revision, ...rest] = lines
  if (first !== FIRST_LINE) throw malformed(`expected its first line to be \`${FIRST_LINE}\``)
  const [signed, signer = '', signature = '', ...more] = (rest.pop() ?? '').split(' ')
  if (signed !== 'signed' || !isFingerprint(signer) || more.length > 0)
    throw malformed('expected `signed FINGERPRINT SIGNATURE` as its last line')
  const trusting = rest[0]?.startsWith('trusting ') ? rest.shift() : undefined
  const document = {
    at: fieldOf(at, 'at'),
    source: fieldOf(source, 'source'),
    revision: fieldOf(revision, 'revision'),
    ...(trusting !== undefined && { trusting: fieldOf(trusting, 'trusting') }),
    items: new Map(rest.map(readEntry)),
    signer,
    signature,
  }
  if (document.trusting !== undefined && !isFingerprint(document.trusting))
    throw malformed('expected `trusting` to be a fingerprint')
  if (!isTimestamp(document.at)) throw malformed('expected `at` to be a time such as `2026-02-23T05:24:41Z`')
  // Only one spelling is accepted, including order, duplicates and blanks.
  if (printApproval(document) !== text) throw malformed('its lines are not as this program writes them')
  return document
}

/** Throws unless a trusted key signed it. */
export function readApproval(
  text: string,
  { keys, revoked }: Pick<TrustContext, 'keys' | 'revoked'>,
): ApprovalDocument {
  const document = parseApproval(text)
  const { signer, signature } = document
  if (revoked.has(signer)) throw new AppError('ITEM_UNTRUSTED', `key ${signer} is revoked`)
  const key = keys.get(signer)
  if (key === undefined) throw new AppError('ITEM_UNTRUSTED', `key ${signer} is not trusted`)
  if (!isStatementOf(key, 'rye-approval-v1', statementOf(document), signature))
    throw new AppError('ITEM_TAMPERED', `the signature is not that of ${signer} for this text`)
  return document
}

/** The verdict on bytes that a trusted key has approved under this name; undefined if none has. */
export function approvedVerdict(
  item: BoundedItem & { readonly name: string; readonly digest: () => string },
  { approvals, keys, revoked, now }: TrustContext,
): Verdict | undefined {
  const known = approvals.get(item.name)
  if (known === undefined) return undefined
  const hash = item.digest()
  const isTrustedFor = (fingerprint: string) => {
    const key = revoked.has(fingerprint) ? undefined : keys.get(fingerprint)
    return key !== undefined && outsideBounds(key, item, now) === undefined
  }
  const valid = known.filter(({ digest, signer, at, trusting }) => {
    if (digest !== hash || isFuture(at, now)) return false
    return [signer, trusting ?? signer].every(isTrustedFor)
  })
  // The latest one counts: its time tells an item that was put back from one that was accepted again.
  const found = valid.sort((a, b) => (a.at < b.at ? -1 : 1)).at(-1)
  if (found === undefined) return undefined
  const { signer, at, source, revision } = found
  const approved = { source, ...(revision !== '' && { revision }) }
  return { status: 'verified', format: 'manifest', coverage: 'full', hash, signer, timestamp: at, approved }
}

function linesOf({ at, source, revision, trusting, items }: Omit<ApprovalDocument, 'signature'>): string[] {
  const entries = [...items].map(([name, digest]) => `${digest}  ${name}`)
  const sake = trusting === undefined ? [] : [`trusting ${trusting}`]
  return [FIRST_LINE, `at ${at}`, `source ${source}`, `revision ${revision}`, ...sake, ...entries]
}

/** Without the first line; the kind of the statement stands for it. */
function statementOf(document: Omit<ApprovalDocument, 'signature'>): string[] {
  return linesOf(document).slice(1)
}

function readEntry(line: string): [name: string, digest: string] {
  const [digest = '', name = ''] = [line.slice(0, 64), line.slice(66)]
  const [type = '', path = ''] = [name.slice(0, name.indexOf(':')), name.slice(name.indexOf(':') + 1)]
  if (!DIGEST.test(digest) || !isItemType(type) || idProblem(path) !== undefined)
    throw malformed(`expected \`SHA256  TYPE:NAME\`, got ${quoteText(line, 120)}`)
  return [name, digest]
}

function fieldOf(line: string | undefined, name: string): string {
  const value = line?.slice(name.length + 1)
  if (value === undefined || !line?.startsWith(`${name} `) || value.length > MAX_FIELD)
    throw malformed(`expected a line \`${name} ...\` of at most ${MAX_FIELD} characters`)
  if (/[\p{Cc}\u2028\u2029]/u.test(value)) throw malformed(`control characters in \`${name}\``)
  return value
}

function malformed(reason: string): AppError {
  return new AppError('ITEM_MALFORMED', `not an approval: ${reason}`)
}
