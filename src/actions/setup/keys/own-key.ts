// The user's signing key, as answers describe it.
import { fingerprintWords, type SigningKey } from '../../../trust/index.ts'
import { listTrustedKeys, signingKeyPaths } from '../../../user/index.ts'

/** The user's signing key; never the private part of it. */
export interface OwnKey {
  readonly fingerprint: string
  /** The fingerprint, to be compared by telephone. */
  readonly words: string
  /** Whose it is; unknown while it is not among the trusted keys. */
  readonly owner?: string
  /** The file of the private key. */
  readonly path: string
  /** The document to hand to others: they trust it, or a project offers it. */
  readonly identity?: string
}

export async function describeOwnKey(userSpace: string, key: SigningKey): Promise<OwnKey> {
  const { keys } = await listTrustedKeys(userSpace)
  const trusted = keys.get(key.fingerprint)
  return {
    fingerprint: key.fingerprint,
    words: fingerprintWords(key.fingerprint),
    ...(trusted && { owner: trusted.owner }),
    path: signingKeyPaths(userSpace).current,
    ...(trusted && { identity: trusted.path }),
  }
}
