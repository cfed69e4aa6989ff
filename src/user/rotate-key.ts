// Replaces the signing key by a new one. There is a working key at every moment: the new key waits in its own
// file until everything that needs the old one is done, then takes its place in one step. An interrupted
// rotation can be started again and ends with the same key.
import { join } from 'node:path'
import { AppError } from '../base/index.ts'
import { atomicWrite, removeFile } from '../files/index.ts'
import { generateKey, type SigningKey } from '../trust/index.ts'
import { getSigningKey, loadKeyFile, signingKeyPaths } from './keys.ts'

export interface Rotation {
  /** Undefined when an interrupted rotation had only its last step left. */
  readonly old: SigningKey | undefined
  readonly next: SigningKey
}

const PRIVATE = { mode: 0o600, folderMode: 0o700 }

/** The current key and its successor, taken from an interrupted rotation or newly made. */
export function beginRotation(userSpace: string): Rotation {
  const { next: path } = signingKeyPaths(userSpace)
  const waiting = loadKeyFile(path)
  const old = getSigningKey(userSpace)
  if (waiting) return { old: old.fingerprint === waiting.fingerprint ? undefined : old, next: waiting }
  const next = generateKey()
  atomicWrite(path, next.privatePem, { root: userSpace, ...PRIVATE, expect: 'absent' })
  return { old, next }
}

/** Puts the new key in place of the old one, kept to sign its own revocation. Throws `WRITE_FAILED`. */
export function finishRotation(userSpace: string, { old, next }: Rotation): void {
  const paths = signingKeyPaths(userSpace)
  if (old) {
    const present = getSigningKey(userSpace).fingerprint
    if (present !== old.fingerprint && present !== next.fingerprint) {
      throw new AppError('WRITE_FAILED', `the signing key was changed to ${present} meanwhile`, {
        hint: 'see what `rye keys show` says, and rotate again if you still want to',
      })
    }
    atomicWrite(join(paths.retired, `${old.fingerprint}.pem`), old.privatePem, {
      root: userSpace,
      ...PRIVATE,
    })
    atomicWrite(paths.current, next.privatePem, { root: userSpace, ...PRIVATE })
  }
  atomicWrite(paths.public, next.publicPem, { root: userSpace, mode: 0o644 })
  removeFile(paths.next, { root: userSpace })
}
