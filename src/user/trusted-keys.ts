// The trust store: one document per key in the user space, holding an identity and the bounds of the trust in
// it. Keys that a project offers are listed separately and never mixed with them; only a person moves a key
// from one list to the other. The older system's folder is no trust store: its keys are offered like a
// project's, for the person to import. One bad file must not end the trust in all other keys, so faults are
// collected, not thrown. A revoked key is not trusted, whatever the store says.
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { AppError, commandOf, hintWith, quoteText } from '../base/index.ts'
import { atomicWrite, readFile, removeFile, stateAt } from '../files/index.ts'
import {
  describeBounds,
  type Identity,
  looksLikeRevocation,
  MAX_IDENTITY_BYTES,
  parseIdentity,
  parseTrustRecord,
  printTrustRecord,
  type TrustBounds,
  type TrustRecord,
} from '../trust/index.ts'
import { documentsIn, type KeyFault, keyPath } from './key-files.ts'
import { type ListedRevocation, listRevocations, removeRevocation } from './revocations.ts'
import { makeUserSpace } from './user-space.ts'

export interface KeyListing {
  /** Fingerprint → key. */
  readonly keys: ReadonlyMap<string, ListedKey>
  /** Files in the key folders that are not accepted. */
  readonly faults: readonly KeyFault[]
}

export interface TrustListing extends KeyListing {
  /** Fingerprint → revocation. Never contains a fingerprint of `keys`. */
  readonly revoked: ReadonlyMap<string, ListedRevocation>
}

export interface ListedKey extends TrustRecord {
  readonly path: string
}

export interface TrustOptions {
  /** What the trust is limited to. */
  readonly bounds?: TrustBounds | undefined
  /** Trust the key even if it is revoked; its revocation is then deleted. */
  readonly despiteRevocation?: boolean
}

const FOLDER = ['.ai', 'config', 'keys', 'trusted']
const OLD_FOLDER = ['.ai', 'trusted_keys']
/** Nobody chooses more keys than this by hand. */
const MAX_KEYS = 1000

export function trustedKeyFolder(userSpace: string): string {
  return join(userSpace, ...FOLDER)
}

export function trustedKeyPath(userSpace: string, fingerprint: string): string {
  return keyPath(userSpace, FOLDER, fingerprint)
}

/** The keys that the user trusts, and the revoked ones. */
export async function listTrustedKeys(userSpace: string): Promise<TrustListing> {
  const { revoked, faults } = await listRevocations(userSpace)
  const listed = await listFolder(userSpace, FOLDER, parseTrustRecord)
  const keys = [...listed.keys].filter(([fingerprint]) => !revoked.has(fingerprint))
  return { keys: new Map(keys), revoked, faults: [...listed.faults, ...faults] }
}

/** The keys that the older system trusted. They verify nothing until a person trusts them. */
export function listOldKeys(userSpace: string): Promise<KeyListing> {
  return listFolder(userSpace, OLD_FOLDER, parseIdentity)
}

/** The keys that a project offers. They verify nothing until a person trusts them. */
export function listOfferedKeys(projectPath: string): Promise<KeyListing> {
  return listFolder(projectPath, FOLDER, parseIdentity)
}

/** The file in which a project offers a key. */
export function offeredKeyPath(projectPath: string, fingerprint: string): string {
  return keyPath(projectPath, FOLDER, fingerprint)
}

export async function isTrusted(userSpace: string, fingerprint: string): Promise<boolean> {
  return (await listTrustedKeys(userSpace)).keys.has(fingerprint)
}

/** Reads an identity document from a file that a person named. */
export async function readIdentityFile(path: string): Promise<Identity> {
  const file = readFile(path, { maxBytes: MAX_IDENTITY_BYTES })
  if (file === undefined) {
    throw new AppError('KEY_MISSING', `no key document at \`${path}\``, {
      hint: commandOf("the key's owner can make one", 'keys export'),
    })
  }
  const text = file.bytes.toString('utf8')
  if (looksLikeRevocation(text)) {
    throw new AppError('KEY_INVALID', `\`${path}\` is not a key but a key revocation`, {
      hint: commandOf('apply it', 'keys revoke --import FILE'),
    })
  }
  return parseIdentity(text)
}

/**
 * Trusts a key, within bounds if any are given. Returns false when nothing changed. Bounds can be replaced,
 * but are never dropped just because none are given: to trust a key without bounds, end its trust first.
 */
export async function trustIdentity(
  userSpace: string,
  identity: Identity,
  { bounds, despiteRevocation = false }: TrustOptions = {},
): Promise<boolean> {
  const { fingerprint } = identity
  const revocation = (await listRevocations(userSpace)).revoked.get(fingerprint)
  if (revocation && !despiteRevocation) throw revokedError(revocation)
  const known = (await listFolder(userSpace, FOLDER, parseTrustRecord)).keys.get(fingerprint)
  // Colliding 64-bit fingerprints can be produced with effort; two keys must never share a name.
  if (known && known.pem !== identity.pem) {
    throw new AppError('KEY_EXISTS', `another key with the fingerprint ${fingerprint} is already trusted`, {
      hint: `look at \`${known.path}\`: one of the two keys is forged`,
    })
  }
  if (known && !revocation && isDeepStrictEqual(known.bounds, bounds)) return false
  if (known?.bounds && !bounds) {
    throw new AppError('KEY_EXISTS', `key ${fingerprint} is trusted ${describeBounds(known.bounds)} only`, {
      hint: hintWith(
        'give other bounds, or to trust it for everything ',
        commandOf('end this trust first', `keys remove ${fingerprint}`),
      ),
    })
  }
  const path = trustedKeyPath(userSpace, fingerprint)
  if (!known && !bounds && stateAt(path)) {
    throw new AppError('KEY_EXISTS', `the record of key ${fingerprint} cannot be read: \`${path}\``, {
      hint: hintWith(
        'it may have had bounds: give bounds, or to trust the key for everything ',
        commandOf('end that trust first', `keys remove ${fingerprint}`),
      ),
    })
  }
  const { vouch, ...plain } = identity
  const record = { ...plain, ...(vouch && { vouch }), ...(bounds && { bounds }) }
  const text = printTrustRecord(record)
  if (Buffer.byteLength(text) > MAX_IDENTITY_BYTES)
    throw new AppError('INVALID_INPUT', 'the bounds are too long to be kept; give fewer, or patterns')
  makeUserSpace(userSpace)
  atomicWrite(path, text, { root: userSpace, mode: 0o644 })
  if (revocation) removeRevocation(userSpace, fingerprint)
  return true
}

/** Ends the trust in a key. Throws `KEY_MISSING` when it was not trusted. */
export async function removeTrustedKey(userSpace: string, fingerprint: string): Promise<void> {
  const removed = removeFile(trustedKeyPath(userSpace, fingerprint), { root: userSpace })
  if (!removed)
    throw new AppError('KEY_MISSING', `key ${fingerprint} is not trusted`, {
      hint: commandOf('list keys', 'keys list'),
    })
}

function revokedError({ fingerprint, reason }: ListedRevocation): AppError {
  const why = reason === '' ? '' : `: ${quoteText(reason, 200)}`
  return new AppError('KEY_INVALID', `key ${fingerprint} is revoked${why}`, {
    hint: {
      agent: 'only the user decides about keys: tell them',
      person:
        'do not trust it; ask its owner for a new one. If the revocation is wrong, `--despite-revocation` trusts the key and forgets the revocation',
    },
  })
}

async function listFolder(
  root: string,
  below: readonly string[],
  parse: (text: string) => Promise<TrustRecord>,
): Promise<KeyListing> {
  const folder = join(root, ...below)
  const keys = new Map<string, ListedKey>()
  const faults: KeyFault[] = []
  const names = documentsIn(folder)
  for (const name of names.slice(0, MAX_KEYS)) {
    const path = join(folder, name)
    try {
      const file = readFile(path, { maxBytes: MAX_IDENTITY_BYTES, root })
      if (file === undefined) continue
      const record = await parse(file.bytes.toString('utf8'))
      if (name !== `${record.fingerprint}.toml`)
        faults.push({ path, reason: `expected the file name \`${record.fingerprint}.toml\`` })
      else keys.set(record.fingerprint, { ...record, path })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      faults.push({ path, reason: error.message })
    }
  }
  if (names.length > MAX_KEYS)
    faults.push({ path: folder, reason: `more than ${MAX_KEYS} keys; the rest is left out` })
  return { keys, faults }
}
