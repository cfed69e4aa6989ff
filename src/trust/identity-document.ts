// Identity documents: TOML files that name the owner of a public key. Fields are in the order of the older system,
// which reads them too. Nothing is taken on faith: the fingerprint is computed again from the key.
import { AppError, firstLineOf, isRecord, quoteText, shortenText } from '../base/index.ts'
import { readPublicKey } from './key.ts'
import { isFingerprint } from './signature-line.ts'
import type { TrustedKey } from './types.ts'

export interface Identity extends TrustedKey {
  readonly pem: string
  readonly version: string
  /** What the owner says about the key; may be empty. */
  readonly attestation: string
}

/** An identity document is a few hundred bytes. */
export const MAX_IDENTITY_BYTES = 16_384
const MAX_FIELD = 1024
const PLAIN = String.raw`"([^"\\\x00-\x1f\x7f]*)"`
const OWN_PRINTING = new RegExp(
  String.raw`^version = ${PLAIN}\ncategory = ${PLAIN}\nfingerprint = ${PLAIN}\nowner = ${PLAIN}\n` +
    String.raw`attestation = ${PLAIN}\n\n\[public_key\]\npem = """\n([A-Za-z0-9+/=\n -]*)"""\n$`,
)
const FIELDS = new Set(['version', 'category', 'fingerprint', 'owner', 'attestation', 'public_key'])

export function describeKey(publicPem: string, owner: string): Identity {
  const { fingerprint, key, pem } = readPublicKey(publicPem)
  return { fingerprint, owner, key, pem, version: '1.0.0', attestation: '' }
}

export function printIdentity(identity: Identity): string {
  return [
    `version = ${quote(identity.version)}`,
    'category = "keys/trusted"',
    `fingerprint = ${quote(identity.fingerprint)}`,
    `owner = ${quote(identity.owner)}`,
    `attestation = ${quote(identity.attestation)}`,
    '',
    '[public_key]',
    // A PEM contains neither quotes nor backslashes, so it needs no escapes inside triple quotes.
    `pem = """\n${identity.pem}"""`,
    '',
  ].join('\n')
}

/** Reads an identity document, or throws `KEY_INVALID` saying what is wrong with it. */
export async function parseIdentity(text: string): Promise<Identity> {
  if (Buffer.byteLength(text) > MAX_IDENTITY_BYTES) throw invalid('the file is too large for a key document')
  const document = readOwnPrinting(text) ?? (await readToml(text))
  const fields = onlyKeys(document, FIELDS, 'the document')
  const { pem } = onlyKeys(fields.public_key, new Set(['pem']), '`public_key`')
  if (typeof pem !== 'string') throw invalid('expected `pem` in `[public_key]`')
  const claimed = fields.fingerprint
  if (typeof claimed !== 'string' || !isFingerprint(claimed))
    throw invalid('expected `fingerprint` to be 16 lower-case hex digits')
  const category = fields.category ?? 'keys/trusted'
  if (category !== 'keys/trusted') throw invalid('expected `category` to be `keys/trusted`')
  const { fingerprint, key, pem: canonical } = readPublicKey(pem)
  if (fingerprint !== claimed)
    throw invalid(`the key's fingerprint is \`${fingerprint}\`, but the document says \`${claimed}\``)
  return {
    fingerprint,
    key,
    pem: canonical,
    owner: textField(fields, 'owner', 'unknown'),
    version: textField(fields, 'version', '1.0.0'),
    attestation: textField(fields, 'attestation', ''),
  }
}

async function readToml(text: string): Promise<unknown> {
  const { parse } = await import('smol-toml')
  try {
    return parse(text)
  } catch (error) {
    throw invalid(`not valid TOML: ${shortenText(firstLineOf(error))}`)
  }
}

// Nearly every document is one that `printIdentity` wrote. It is read without loading a TOML parser, which would
// cost each start of the program some 20 ms; the checks that follow are the same.
function readOwnPrinting(text: string): unknown {
  const match = OWN_PRINTING.exec(text)
  if (match === null) return undefined
  const [, version, category, fingerprint, owner, attestation, pem] = match
  return { version, category, fingerprint, owner, attestation, public_key: { pem } }
}

function onlyKeys(value: unknown, allowed: ReadonlySet<string>, what: string): Record<string, unknown> {
  if (!isRecord(value)) throw invalid(`expected ${what} to be a table`)
  const extra = Object.keys(value).find(key => !allowed.has(key))
  if (extra !== undefined) throw invalid(`unexpected key ${quoteText(extra)} in ${what}`)
  return value
}

function textField(fields: Record<string, unknown>, name: string, fallback: string): string {
  const value = fields[name] ?? fallback
  if (typeof value !== 'string' || value.length > MAX_FIELD)
    throw invalid(`expected \`${name}\` to be a string of at most ${MAX_FIELD} characters`)
  return value
}

/** A TOML basic string. JSON's escapes are TOML's; DEL and lone surrogates are the two differences. */
function quote(text: string): string {
  return JSON.stringify(text.replace(/\p{Cs}/gu, '\ufffd')).replaceAll('\x7f', '\\u007f')
}

function invalid(message: string): AppError {
  return new AppError('KEY_INVALID', message)
}
