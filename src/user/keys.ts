// The user's own signing key. It is kept in the user space, readable by its owner only, and is never replaced: to use another
// one, the old one has to be moved away first.
import { join } from 'node:path'
import { AppError, commandOf, hintWith, systemErrorCode } from '../base/index.ts'
import { atomicWrite, readFile, removeFile } from '../files/index.ts'
import { describeKey, generateKey, readSigningKey, type SigningKey } from '../trust/index.ts'
import { isTrusted, trustedKeyPath, trustIdentity } from './trusted-keys.ts'

const MAX_KEY_BYTES = 4096

/** Where the signing key is written, and where the older system kept it. */
export function signingKeyPaths(userSpace: string): { current: string; old: string } {
  return {
    current: join(userSpace, '.ai', 'config', 'keys', 'signing', 'private_key.pem'),
    old: join(userSpace, '.ai', 'keys', 'private_key.pem'),
  }
}

/** The user's signing key, or undefined when there is none. Throws `KEY_INVALID` on one that must not be used. */
export function findSigningKey(userSpace: string): SigningKey | undefined {
  const { current, old } = signingKeyPaths(userSpace)
  return loadKeyFile(current) ?? loadKeyFile(old)
}

/** The user's signing key, or `KEY_MISSING` with the command that makes one. */
export function getSigningKey(userSpace: string): SigningKey {
  const key = findSigningKey(userSpace)
  if (key !== undefined) return key
  throw new AppError('KEY_MISSING', `no signing key in \`${signingKeyPaths(userSpace).current}\``, {
    hint: commandOf('make one', 'keys generate'),
  })
}

/** Makes a signing key and trusts it, so that the user's own items verify. An existing key is `KEY_EXISTS`. */
export function generateSigningKey(userSpace: string, owner = 'local'): Promise<SigningKey> {
  return storeSigningKey(userSpace, generateKey(), owner)
}

/** Stores a key given as text, PEM or base64 of PEM: for machines that get theirs in an environment variable. */
export async function importSigningKey(
  userSpace: string,
  text: string,
  owner = 'local',
): Promise<SigningKey> {
  return storeSigningKey(userSpace, readSigningKey(text), owner)
}

// The key is trusted before the private key is written: a crash in between leaves no key, a crash later leaves a key that
// works. The public file is for people; the program derives it.
async function storeSigningKey(userSpace: string, key: SigningKey, owner: string): Promise<SigningKey> {
  const { current, old } = signingKeyPaths(userSpace)
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
  atomicWrite(join(current, '..', 'public_key.pem'), key.publicPem, { root: userSpace, mode: 0o644 })
  return key
}

function loadKeyFile(path: string): SigningKey | undefined {
  const file = readKeyBytes(path)
  if (file === undefined) return undefined
  if (process.platform !== 'win32' && (file.stat.mode & 0o077) !== 0) {
    const mode = (file.stat.mode & 0o777).toString(8).padStart(4, '0')
    throw new AppError(
      'KEY_INVALID',
      `others may read the signing key \`${path}\`: expected mode 0600, got ${mode}`,
      {
        hint: `chmod 600 '${path}'`,
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
    hint: hintWith(commandOf('show it', 'keys show'), '; to use another one, move the old one away first'),
  })
}
