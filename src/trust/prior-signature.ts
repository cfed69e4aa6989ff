// Whether an item may be signed without asking whose it is: only if it is new, or the same key signed it
// before. Otherwise signing takes over an item with another key's signature, or one that may not be ours.
import { asBuffer } from './byte-line.ts'
import type { TrustContext, Verdict } from './types.ts'

interface SignedBefore {
  readonly verdict: Verdict
  readonly bytes: Uint8Array
  /** The bytes of the signature file, if the signature is detached. */
  readonly detached?: Uint8Array | undefined
}

/** A line with a hash or a signature. One without, such as an example in a manual, is nobody's. */
const ATTEMPT = /rye:signed:[^\n]{0,128}?[\w+/-]{64}/

/**
 * Describes the signature that signing would replace. Undefined for a new item, or one that our key signed.
 */
export function foreignSignature(
  { verdict, bytes, detached }: SignedBefore,
  ownFingerprint: string,
  keys: TrustContext['keys'],
): string | undefined {
  const { status, format, signer, timestamp, reason, approved } = verdict
  const isAttempt = () => ATTEMPT.test(asBuffer(detached ?? bytes).toString('latin1'))
  if (approved && isAttempt()) return `it bears the signature of its maker, and came from ${approved.source}`
  if (status === 'unsigned' || format === 'manifest') return undefined
  if (status === 'malformed' || signer === null)
    return isAttempt() ? `it has a signature that cannot be read: ${reason}` : undefined
  if (signer !== ownFingerprint) {
    const key = keys.get(signer)
    const who = key ? `${key.owner} (${signer})` : `${signer}, a key that is not trusted,`
    const since = status === 'tampered' ? `and changed since: ${reason}` : 'and is unchanged since'
    return `it was signed by ${who} at ${timestamp}, ${since}`
  }
  if (status === 'untrusted' && !keys.has(ownFingerprint))
    return 'it names your key, which is no longer trusted, so its signature cannot be checked'
  // It does not matter who changed the content since. What counts is that the key really signed this item
  // once, rather than that some text names the key.
  const isOwn = status === 'verified' || (status === 'tampered' && format === 'v2')
  return isOwn ? undefined : `it names your key, but that key did not sign all of this item: ${reason}`
}
