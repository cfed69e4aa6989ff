// The user's signing key, as answers describe it.
import type { SigningKey } from '../../../trust/index.ts'
import { listTrustedKeys, signingKeyPaths } from '../../../user/index.ts'

/** The user's signing key; never the private part of it. */
export interface OwnKey {
  readonly fingerprint: string
  /** The file of the private key. */
  readonly path: string
  /** The document to hand to others: they trust it, or a project offers it. */
  readonly identity?: string
}

export async function describeOwnKey(userSpace: string, key: SigningKey): Promise<OwnKey> {
  const { keys } = await listTrustedKeys(userSpace)
  const identity = keys.get(key.fingerprint)?.path
  return {
    fingerprint: key.fingerprint,
    path: signingKeyPaths(userSpace).current,
    ...(identity && { identity }),
  }
}
