// The user's signing key, as answers describe it.
import { fingerprintWords, type SigningKey } from '../../../trust/index.ts'
import { listTrustedKeys, signingKeyPaths } from '../../../user/index.ts'

/** Never contains the private part. */
export interface OwnKey {
  readonly fingerprint: string
  /** The fingerprint as words, to compare by telephone. */
  readonly words: string
  /** The owner; absent while the key is not trusted. */
  readonly owner?: string
  /** The file of the private key. */
  readonly path: string
  /**
   * The document to hand to others, who can trust it; a project can offer it. Absent while the key is not
   * trusted.
   */
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
