// The trust store: one identity document per key in the user space. Keys that a project offers are listed separately and
// never mixed with them; only a person moves a key from one list to the other. The folder of the older system is no trust store: its keys
// are offered like those of a project, for the person to import.
// One bad file must not end the trust in all other keys, so faults are collected, not thrown.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { AppError, commandOf, systemErrorCode } from '../base/index.ts'
import { atomicWrite, readFile, removeFile } from '../files/index.ts'
import {
  type Identity,
  isFingerprint,
  MAX_IDENTITY_BYTES,
  parseIdentity,
  printIdentity,
} from '../trust/index.ts'

export interface KeyListing {
  /** Fingerprint → key. */
  readonly keys: ReadonlyMap<string, ListedKey>
  /** Files in the folders of keys that are not accepted. */
  readonly faults: readonly { readonly path: string; readonly reason: string }[]
}

export interface ListedKey extends Identity {
  readonly path: string
}

const FOLDER = ['.ai', 'config', 'keys', 'trusted']
const OLD_FOLDER = ['.ai', 'trusted_keys']
/** More files than this are not keys that a person chose. */
const MAX_KEYS = 1000

export function trustedKeyFolder(userSpace: string): string {
  return join(userSpace, ...FOLDER)
}

export function trustedKeyPath(userSpace: string, fingerprint: string): string {
  if (!isFingerprint(fingerprint))
    throw new AppError(
      'INVALID_INPUT',
      `expected a fingerprint of 16 lower-case hex digits, got \`${fingerprint}\``,
    )
  return join(userSpace, ...FOLDER, `${fingerprint}.toml`)
}

/** The keys that the user trusts. */
export function listTrustedKeys(userSpace: string): Promise<KeyListing> {
  return listFolder(userSpace, FOLDER)
}

/** The keys that the older system trusted. They verify nothing until a person trusts them. */
export function listOldKeys(userSpace: string): Promise<KeyListing> {
  return listFolder(userSpace, OLD_FOLDER)
}

/** The keys that a project offers. They verify nothing until a person trusts them. */
export function listOfferedKeys(projectPath: string): Promise<KeyListing> {
  return listFolder(projectPath, FOLDER)
}

export async function isTrusted(userSpace: string, fingerprint: string): Promise<boolean> {
  return (await listTrustedKeys(userSpace)).keys.has(fingerprint)
}

/** Reads an identity document from a file that a person named. */
export async function readIdentityFile(path: string): Promise<Identity> {
  const file = readFile(path, { maxBytes: MAX_IDENTITY_BYTES })
  if (file === undefined) throw new AppError('KEY_MISSING', `no key document at \`${path}\``)
  return parseIdentity(file.bytes.toString('utf8'))
}

/** Trusts a key. Returns false when it was trusted before. */
export async function trustIdentity(userSpace: string, identity: Identity): Promise<boolean> {
  const known = (await listTrustedKeys(userSpace)).keys.get(identity.fingerprint)
  if (known !== undefined) {
    if (known.pem === identity.pem) return false
    // A collision of 64-bit fingerprints can be produced with effort; two keys must never share a name.
    throw new AppError(
      'KEY_EXISTS',
      `another key with the fingerprint ${identity.fingerprint} is already trusted`,
      {
        hint: `look at \`${known.path}\`: one of the two keys is forged`,
      },
    )
  }
  atomicWrite(trustedKeyPath(userSpace, identity.fingerprint), printIdentity(identity), {
    root: userSpace,
    mode: 0o644,
  })
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

async function listFolder(root: string, below: readonly string[]): Promise<KeyListing> {
  const folder = join(root, ...below)
  const keys = new Map<string, ListedKey>()
  const faults: { path: string; reason: string }[] = []
  const names = namesIn(folder).sort()
  for (const name of names.slice(0, MAX_KEYS)) {
    const path = join(folder, name)
    try {
      const identity = await readListed(path, root)
      if (identity === undefined) continue
      if (name !== `${identity.fingerprint}.toml`)
        faults.push({ path, reason: `expected the file name \`${identity.fingerprint}.toml\`` })
      else keys.set(identity.fingerprint, { ...identity, path })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      faults.push({ path, reason: error.message })
    }
  }
  if (names.length > MAX_KEYS)
    faults.push({ path: folder, reason: `more than ${MAX_KEYS} keys; the rest is left out` })
  return { keys, faults }
}

async function readListed(path: string, root: string): Promise<Identity | undefined> {
  const file = readFile(path, { maxBytes: MAX_IDENTITY_BYTES, root })
  return file && parseIdentity(file.bytes.toString('utf8'))
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter(name => name.endsWith('.toml'))
  } catch (error) {
    const code = systemErrorCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    throw new AppError('FILE_UNREADABLE', `cannot list the keys in \`${folder}\`: ${code}`, { cause: error })
  }
}
