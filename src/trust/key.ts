// Ed25519 keys as PEM text. Only the spelling that Node itself would write is accepted: the fingerprint is a
// digest of that text, and a file with a second key, a comment or another algorithm is not a key file.
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { AppError, commandOf, sha256Hex } from '../base/index.ts'

export interface PublicKey {
  readonly fingerprint: string
  readonly key: KeyObject
  readonly pem: string
}

export interface SigningKey {
  readonly fingerprint: string
  readonly privateKey: KeyObject
  readonly privatePem: string
  readonly publicPem: string
}

// Points of small order, by their encoding without its sign bit. For such a key one signature is valid for
// every message, so trusting it would mean trusting everyone.
const SMALL_ORDER = new Set([
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
])
/** What precedes the point in the encoding of an Ed25519 key. */
const SPKI_START = Buffer.from('302a300506032b6570032100', 'hex')
const POINT_SIZE = 32
const SPKI_PEM = /^-----BEGIN PUBLIC KEY-----\n(?<encoded>[A-Za-z0-9+/]+=*)\n-----END PUBLIC KEY-----\n$/
/** Much longer than any Ed25519 PEM; a longer text is not parsed at all. */
const MAX_PEM = 1024

export function generateKey(): SigningKey {
  return signingKeyOf(generateKeyPairSync('ed25519').privateKey)
}

/** First 16 hex digits of the SHA-256 of the SPKI PEM text. */
export function fingerprintOf(publicPem: string): string {
  return sha256Hex(publicPem).slice(0, 16)
}

/** Reads an SPKI PEM, or throws `KEY_INVALID`. */
export function readPublicKey(text: string): PublicKey {
  const pem = normalisePem(text)
  const point = readPoint(pem)
  if (!point) {
    parseKey(pem, 'PUBLIC KEY', createPublicKey)
    throw invalid('expected exactly one public key in plain PEM, and nothing else')
  }
  if (hasSmallOrder(point))
    throw invalid('the key is weak: signatures for it can be made without its private key')
  // Takes a tenth of the time that OpenSSL needs to recognise what a PEM text is.
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: point.toString('base64url') }
  return { fingerprint: fingerprintOf(pem), key: createPublicKey({ key: jwk, format: 'jwk' }), pem }
}

/** The encoded point of an Ed25519 key. Undefined unless the text is what Node would write for it. */
function readPoint(pem: string): Buffer | undefined {
  if (pem.length > MAX_PEM) return undefined
  const encoded = SPKI_PEM.exec(pem)?.groups?.encoded
  if (encoded === undefined) return undefined
  const der = Buffer.from(encoded, 'base64')
  const isPlain = der.toString('base64') === encoded && der.length === SPKI_START.length + POINT_SIZE
  return isPlain && der.subarray(0, SPKI_START.length).equals(SPKI_START)
    ? der.subarray(SPKI_START.length)
    : undefined
}

/** Reads an unencrypted PKCS8 PEM, or base64 of one (for variables). Otherwise throws `KEY_INVALID`. */
export function readSigningKey(text: string): SigningKey {
  const trimmed = text.trim()
  const looksEncoded = trimmed.length <= 2 * MAX_PEM && /^[A-Za-z0-9+/_=\s-]+$/.test(trimmed)
  const given = normalisePem(
    looksEncoded && !trimmed.startsWith('-----')
      ? Buffer.from(trimmed, 'base64').toString('latin1')
      : trimmed,
  )
  const signingKey = signingKeyOf(parseKey(given, 'PRIVATE KEY', createPrivateKey))
  if (signingKey.privatePem !== given)
    throw invalid('expected exactly one private key in plain PEM, and nothing else')
  return signingKey
}

function signingKeyOf(privateKey: KeyObject): SigningKey {
  const publicPem = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString()
  const privatePem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  return { fingerprint: fingerprintOf(publicPem), privateKey, privatePem, publicPem }
}

function hasSmallOrder(encoded: Buffer): boolean {
  const point = Buffer.from(encoded)
  point[POINT_SIZE - 1]! &= 0x7f
  return SMALL_ORDER.has(point.toString('hex'))
}

function normalisePem(text: string): string {
  if (text.length > 4 * MAX_PEM) throw invalid('expected one PEM key, got a longer text')
  return `${text.replaceAll('\r\n', '\n').trim()}\n`
}

// `createPublicKey` would also take a private key or a certificate, so the label is checked first. The
// message of a parse failure is not passed on, as it may quote key material.
function parseKey(pem: string, label: string, create: (pem: string) => KeyObject): KeyObject {
  if (pem.length > MAX_PEM || !pem.startsWith(`-----BEGIN ${label}-----\n`))
    throw invalid(`expected a PEM text that begins with \`-----BEGIN ${label}-----\``)
  let key: KeyObject
  try {
    key = create(pem)
  } catch {
    throw invalid('the PEM text contains no readable key')
  }
  if (key.asymmetricKeyType !== 'ed25519')
    throw invalid(`expected an Ed25519 key, got ${key.asymmetricKeyType ?? 'another kind'}`)
  return key
}

function invalid(message: string): AppError {
  return new AppError('KEY_INVALID', message, { hint: commandOf('make a key', 'keys generate') })
}
