// Revoked keys: one document each in the user space. The file name is what counts: a damaged document, or a
// link, still revokes the key in its name, as a revocation must not end because somebody broke a file.
import { join } from 'node:path'
import { AppError } from '../base/index.ts'
import { atomicWrite, readFile, removeFile } from '../files/index.ts'
import {
  isFingerprint,
  MAX_IDENTITY_BYTES,
  parseRevocation,
  printRevocation,
  type Revocation,
} from '../trust/index.ts'
import { documentsIn, type KeyFault, keyPath } from './key-files.ts'
import { makeUserSpace } from './user-space.ts'

export interface ListedRevocation {
  readonly fingerprint: string
  readonly reason: string
  readonly path: string
  /** Absent when the document cannot be read. */
  readonly document?: Revocation
}

export interface RevocationListing {
  /** Fingerprint → revocation. */
  readonly revoked: ReadonlyMap<string, ListedRevocation>
  readonly faults: readonly KeyFault[]
}

const FOLDER = ['.ai', 'config', 'keys', 'revoked']
/** Further documents are not read, but their keys are revoked all the same. */
const MAX_READ = 1000

export function revokedKeyFolder(userSpace: string): string {
  return join(userSpace, ...FOLDER)
}

export async function listRevocations(userSpace: string): Promise<RevocationListing> {
  const revoked = new Map<string, ListedRevocation>()
  const faults: KeyFault[] = []
  const folder = revokedKeyFolder(userSpace)
  for (const [index, name] of documentsIn(folder).entries()) {
    const path = join(folder, name)
    const fingerprint = name.slice(0, -'.toml'.length)
    if (!isFingerprint(fingerprint)) {
      faults.push({ path, reason: 'expected a file named after the fingerprint of the revoked key' })
      continue
    }
    const { document, fault } = index < MAX_READ ? await readListed(path, fingerprint, userSpace) : {}
    if (fault !== undefined) faults.push({ path, reason: fault })
    revoked.set(fingerprint, {
      fingerprint,
      path,
      reason: document?.reason ?? '',
      ...(document && { document }),
    })
  }
  return { revoked, faults }
}

/** Reads a revocation from a file that a person named. */
export async function readRevocationFile(path: string): Promise<Revocation> {
  const file = readFile(path, { maxBytes: MAX_IDENTITY_BYTES })
  if (file === undefined) throw new AppError('KEY_MISSING', `no revocation at \`${path}\``)
  return parseRevocation(file.bytes.toString('utf8'))
}

export function recordRevocation(userSpace: string, revocation: Revocation): string {
  const path = keyPath(userSpace, FOLDER, revocation.fingerprint)
  makeUserSpace(userSpace)
  atomicWrite(path, printRevocation(revocation), { root: userSpace, mode: 0o644 })
  return path
}

/** False when there was none. */
export function removeRevocation(userSpace: string, fingerprint: string): boolean {
  return removeFile(keyPath(userSpace, FOLDER, fingerprint), { root: userSpace })
}

async function readListed(
  path: string,
  fingerprint: string,
  root: string,
): Promise<{ document?: Revocation; fault?: string }> {
  try {
    const file = readFile(path, { maxBytes: MAX_IDENTITY_BYTES, root })
    if (file === undefined) return { fault: 'it was removed while it was read' }
    const document = await parseRevocation(file.bytes.toString('utf8'))
    if (document.fingerprint === fingerprint) return { document }
    return { fault: `expected the file name \`${document.fingerprint}.toml\`` }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { fault: error.message }
  }
}
