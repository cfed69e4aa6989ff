// Identity documents: TOML files that name the owner of a public key. Fields are in the order of the older
// system, which reads them too. Nothing is taken on faith: the fingerprint is recomputed from the key. In the
// user's trust store the same document may have bounds; a program that does not know bounds refuses it.
import { readBounds } from './bounds.ts'
import { readPublicKey } from './key.ts'
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
import { isFingerprint } from './signature-line.ts'
import type { TrustBounds, TrustedKey } from './types.ts'
import { printVouch, readVouch, type Vouch } from './vouch.ts'

export interface Identity extends Omit<TrustedKey, 'bounds'> {
  readonly pem: string
  readonly version: string
  /** What the owner says about the key; may be empty. */
  readonly attestation: string
  /** The statement of an older key for this one; not checked. */
  readonly vouch?: Vouch
}

/** An identity as the trust store holds it. */
export interface TrustRecord extends Identity {
  readonly bounds?: TrustBounds
}

const PLAIN = String.raw`"([^"\\\x00-\x1f\x7f]*)"`
const LIST = String.raw`(\["[^"\\\x00-\x1f\x7f]*"(?:, "[^"\\\x00-\x1f\x7f]*")*\])`
const OWN_PRINTING = new RegExp(
  String.raw`^version = ${PLAIN}\ncategory = ${PLAIN}\nfingerprint = ${PLAIN}\nowner = ${PLAIN}\n` +
    String.raw`attestation = ${PLAIN}\n\n\[public_key\]\npem = """\n([A-Za-z0-9+/=\n -]*)"""\n` +
    String.raw`(\n\[vouch\]\nfingerprint = ${PLAIN}\nat = ${PLAIN}\nsignature = ${PLAIN}\n)?` +
    String.raw`(\n\[bounds\]\n(?:for = ${LIST}\n)?(?:project = ${LIST}\n)?(?:until = ${PLAIN}\n)?)?$`,
)
const FIELDS = ['version', 'category', 'fingerprint', 'owner', 'attestation', 'public_key', 'vouch']
const IDENTITY_FIELDS = new Set(FIELDS)
const RECORD_FIELDS = new Set([...FIELDS, 'bounds'])

export function describeKey(publicPem: string, owner: string): Identity {
  const { fingerprint, key, pem } = readPublicKey(publicPem)
  return { fingerprint, owner, key, pem, version: '1.0.0', attestation: '' }
}

export function printIdentity(identity: Identity): string {
  return [
    `version = ${quoteToml(identity.version)}`,
    'category = "keys/trusted"',
    `fingerprint = ${quoteToml(identity.fingerprint)}`,
    `owner = ${quoteToml(identity.owner)}`,
    `attestation = ${quoteToml(identity.attestation)}`,
    '',
    ...printPem(identity.pem),
    ...(identity.vouch ? ['', ...printVouch(identity.vouch)] : []),
    '',
  ].join('\n')
}

/** Only for the trust store: bounds are one user's decision. */
export function printTrustRecord({ bounds, ...identity }: TrustRecord): string {
  if (bounds === undefined) return printIdentity(identity)
  const list = (texts: readonly string[]) => `[${texts.map(quoteToml).join(', ')}]`
  return [
    printIdentity(identity),
    '[bounds]',
    ...(bounds.for ? [`for = ${list(bounds.for)}`] : []),
    ...(bounds.project ? [`project = ${list(bounds.project)}`] : []),
    ...(bounds.until === undefined ? [] : [`until = ${quoteToml(bounds.until)}`]),
    '',
  ].join('\n')
}

/** Reads an identity document, or throws `KEY_INVALID` saying what is wrong. */
export async function parseIdentity(text: string): Promise<Identity> {
  return readIdentity(onlyKeys(await readDocument(text), IDENTITY_FIELDS, 'the document'))
}

/** Reads a document of the trust store. Throws `KEY_INVALID`, also when its bounds cannot be read. */
export async function parseTrustRecord(text: string): Promise<TrustRecord> {
  const fields = onlyKeys(await readDocument(text), RECORD_FIELDS, 'the document')
  const identity = readIdentity(fields)
  if (fields.bounds === undefined) return identity
  const bounds = readBounds(fields.bounds)
  if (typeof bounds === 'string') throw invalidKey(bounds)
  return { ...identity, bounds }
}

async function readDocument(text: string): Promise<unknown> {
  if (Buffer.byteLength(text) > MAX_IDENTITY_BYTES)
    throw invalidKey('the file is too large for a key document')
  return readOwnPrinting(text) ?? (await readToml(text))
}

function readIdentity(fields: Record<string, unknown>): Identity {
  const pem = readPem(fields.public_key)
  const claimed = fields.fingerprint
  if (typeof claimed !== 'string' || !isFingerprint(claimed))
    throw invalidKey('expected `fingerprint` to be 16 lower-case hex digits')
  const category = fields.category ?? 'keys/trusted'
  if (category !== 'keys/trusted') throw invalidKey('expected `category` to be `keys/trusted`')
  const { fingerprint, key, pem: canonical } = readPublicKey(pem)
  if (fingerprint !== claimed)
    throw invalidKey(`the key's fingerprint is \`${fingerprint}\`, but the document says \`${claimed}\``)
  return {
    fingerprint,
    key,
    pem: canonical,
    owner: textField(fields, 'owner', 'unknown'),
    version: textField(fields, 'version', '1.0.0'),
    attestation: textField(fields, 'attestation', ''),
    ...(fields.vouch !== undefined && { vouch: readVouch(fields.vouch) }),
  }
}

// Nearly every document is one that we wrote. Those are read without loading a TOML parser, which would cost
// some 20 ms at each start of the program. The checks that follow are the same.
function readOwnPrinting(text: string): unknown {
  const match = OWN_PRINTING.exec(text)
  if (match === null) return undefined
  const [, version, category, fingerprint, owner, attestation, pem, vouch, voucher, at, signature] = match
  const [bounds, patterns, project, until] = match.slice(11)
  return {
    ...{ version, category, fingerprint, owner, attestation, public_key: { pem } },
    ...(vouch !== undefined && { vouch: { fingerprint: voucher, at, signature } }),
    ...(bounds !== undefined && {
      bounds: {
        // Strings without escapes are the same in JSON.
        ...(patterns !== undefined && { for: JSON.parse(patterns) }),
        ...(project !== undefined && { project: JSON.parse(project) }),
        ...(until !== undefined && { until }),
      },
    }),
  }
}
