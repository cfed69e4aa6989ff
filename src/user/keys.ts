// The user's own signing key. It is kept in the user space, readable only by its owner. Only rotation
// replaces it (`rotate-key.ts`), which keeps the old one.
import { join } from 'node:path'
import { AppError, commandOf, hintWith, quoteShellWord, systemErrorCode } from '../base/index.ts'
import { atomicWrite, readFile, removeFile } from '../files/index.ts'
import {
  describeBounds,
  describeKey,
  generateKey,
  isExpired,
  readSigningKey,
  type SigningKey,
} from '../trust/index.ts'
import { isTrusted, listTrustedKeys, trustedKeyPath, trustIdentity } from './trusted-keys.ts'
import { userSpaceProblem } from './user-space.ts'

const MAX_KEY_BYTES = 4096

export interface SigningKeyPaths {
  readonly current: string
  /** The public half, for people. It also tells whose key it was when the private half is gone. */
  readonly public: string
  /** The new key during a rotation. */
  readonly next: string
  /** Keys that were rotated out. They sign nothing any more except their own revocation. */
  readonly retired: string
  /** Where the older system kept the key. */
  readonly old: string
}

export function signingKeyPaths(userSpace: string): SigningKeyPaths {
  const folder = join(userSpace, '.ai', 'config', 'keys', 'signing')
  return {
    current: join(folder, 'private_key.pem'),
    public: join(folder, 'public_key.pem'),
    next: join(folder, 'next_key.pem'),
    retired: join(folder, 'retired'),
    old: join(userSpace, '.ai', 'keys', 'private_key.pem'),
  }
}

/** The user's signing key; undefined when there is none. Throws `KEY_INVALID` if it must not be used. */
export function findSigningKey(userSpace: string): SigningKey | undefined {
  const { current, old } = signingKeyPaths(userSpace)
  return loadKeyFile(current) ?? loadKeyFile(old)
}

/** The user's signing key. Throws `KEY_MISSING` with the command that makes one. */
export function getSigningKey(userSpace: string): SigningKey {
  const key = findSigningKey(userSpace)
  if (key !== undefined) return key
  const lost = findPublicKey(userSpace)
  const { current } = signingKeyPaths(userSpace)
  const problem = userSpaceProblem(userSpace)
  if (lost === undefined)
    throw new AppError('KEY_MISSING', `no signing key in \`${current}\``, {
      hint: hintWith(
        ...(problem ? [`${problem.message}: ${problem.hint}; then `] : []),
        commandOf('make one', 'keys generate'),
      ),
    })
  throw new AppError('KEY_MISSING', `your signing key ${lost} is gone from \`${current}\``, {
    hint: hintWith('put it back from a backup, or ', commandOf('make another one', 'keys generate')),
  })
}

/** Why items signed with the user's key cannot be used here, and the command that changes that. */
export interface KeyProblem {
  readonly kind: 'revoked' | 'untrusted' | 'expired'
  readonly message: string
  /** What the command is for, and its words after `rye`. */
  readonly fix: readonly [what: string, words: string]
}

/** Why the user's own key is not trusted: revoked, expired or removed. Undefined when it is trusted. */
export async function findKeyProblem(
  userSpace: string,
  { fingerprint }: SigningKey,
  now: Date,
): Promise<KeyProblem | undefined> {
  const { keys, revoked } = await listTrustedKeys(userSpace)
  const key = `your signing key ${fingerprint}`
  if (revoked.has(fingerprint)) {
    const message = `${key} is revoked: nobody could use what it signs`
    return { kind: 'revoked', message, fix: ['make a new one', 'keys rotate'] }
  }
  const trusted = keys.get(fingerprint)
  const words = `keys trust ${fingerprint}`
  if (trusted === undefined) {
    const message = `${key} is not among the keys that you trust: what it signs cannot be used here`
    return { kind: 'untrusted', message, fix: ['trust it again', words] }
  }
  if (!trusted.bounds || !isExpired(trusted.bounds, now)) return undefined
  const message = `${key} is trusted ${describeBounds(trusted.bounds)} only, which is over`
  return { kind: 'expired', message, fix: ['trust it again', `${words} --until DATE`] }
}

/**
 * One of the user's private keys by fingerprint: the current one, or one that was rotated out. Only for
 * revoking it, so a key file that others can read is accepted too: that is a reason to revoke it.
 */
export function findPrivateKey(userSpace: string, fingerprint: string): SigningKey | undefined {
  const paths = signingKeyPaths(userSpace)
  const files = [paths.current, paths.old, join(paths.retired, `${fingerprint}.pem`)]
  return files.map(readKey).find(key => key?.fingerprint === fingerprint)
}

function readKey(path: string): SigningKey | undefined {
  try {
    const file = readKeyBytes(path)
    return file && readSigningKey(file.bytes.toString('latin1'))
  } catch (thrown) {
    if (thrown instanceof AppError) return undefined
    throw thrown
  }
}

/** Makes a signing key and trusts it, so the user's own items verify. Throws `KEY_EXISTS`. */
export function generateSigningKey(userSpace: string, owner: string): Promise<SigningKey> {
  return storeSigningKey(userSpace, generateKey(), owner)
}

/** Stores a key given as PEM or base64 of PEM, for machines that get theirs in an environment variable. */
export async function importSigningKey(userSpace: string, text: string, owner: string): Promise<SigningKey> {
  return storeSigningKey(userSpace, readSigningKey(text), owner)
}

// The key is trusted before the private key is written: a crash in between leaves no key, a later crash
// leaves a key that works. The public file is for people; the program derives the public key itself.
async function storeSigningKey(userSpace: string, key: SigningKey, owner: string): Promise<SigningKey> {
  const { current, old, public: publicPath } = signingKeyPaths(userSpace)
  const existing = findSigningKey(userSpace)
  if (existing !== undefined) throw keyExists(existing.fingerprint, loadKeyFile(current) ? current : old)
  const wasTrusted = await isTrusted(userSpace, key.fingerprint)
  await trustIdentity(userSpace, describeKey(key.publicPem, owner))
  try {
    atomicWrite(current, key.privatePem, {
      root: userSpace,
      mode: 0o600,
      folderMode: 0o700,
      expect: 'absent',
    })
  } catch (error) {
    if (!wasTrusted) removeFile(trustedKeyPath(userSpace, key.fingerprint), { root: userSpace })
    if (error instanceof AppError && error.code === 'ITEM_EXISTS') throw keyExists('another', current)
    throw error
  }
  atomicWrite(publicPath, key.publicPem, { root: userSpace, mode: 0o644 })
  return key
}

/** The fingerprint of the stored public half, for when the private half is gone. */
function findPublicKey(userSpace: string): string | undefined {
  try {
    const file = readFile(signingKeyPaths(userSpace).public, { maxBytes: MAX_KEY_BYTES })
    return file && describeKey(file.bytes.toString('latin1'), '').fingerprint
  } catch (thrown) {
    // The file is for people, and may contain anything.
    if (thrown instanceof AppError) return undefined
    throw thrown
  }
}

export function loadKeyFile(path: string): SigningKey | undefined {
  const file = readKeyBytes(path)
  if (file === undefined) return undefined
  if (process.platform !== 'win32' && (file.stat.mode & 0o077) !== 0) {
    const mode = (file.stat.mode & 0o777).toString(8).padStart(4, '0')
    throw new AppError(
      'KEY_INVALID',
      `others may read the signing key \`${path}\`: expected mode 0600, got ${mode}`,
      {
        hint: `chmod 600 ${quoteShellWord(path)}`,
      },
    )
  }
  return readSigningKey(file.bytes.toString('latin1'))
}

function readKeyBytes(path: string): ReturnType<typeof readFile> {
  try {
    return readFile(path, { maxBytes: MAX_KEY_BYTES })
  } catch (error) {
    if (!(error instanceof AppError) || systemErrorCode(error.cause) === 'EACCES') throw error
    throw new AppError('KEY_INVALID', `the signing key cannot be used: ${error.message}`, { cause: error })
  }
}

function keyExists(which: string, path: string): AppError {
  return new AppError('KEY_EXISTS', `there is already a signing key: ${which} in \`${path}\``, {
    hint: hintWith(
      commandOf('show it', 'keys show'),
      '; ',
      commandOf('replace it with a new one', 'keys rotate'),
    ),
  })
}
