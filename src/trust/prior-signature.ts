// Whether an item may be signed without asking whose it is: a new one, or one that the same key signed before. What bears the
// signature of another key, or one that cannot be shown to be ours, would be taken over.
import { asBuffer } from './byte-line.ts'
import type { TrustContext, Verdict } from './types.ts'

interface SignedBefore {
  readonly verdict: Verdict
  readonly bytes: Uint8Array
  /** The signature, if it is a file of its own. */
  readonly detached?: Uint8Array | undefined
}

/** A line with a hash or a signature in it. One without either, such as the example of a manual, is nobody's. */
const ATTEMPT = /rye:signed:[^\n]{0,128}?[\w+/-]{64}/

/** What signing would replace, in words; undefined for a new item, and for one of the key's own. */
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
    return 'it names your key, which is not among the trusted ones any more: nothing says whether that key signed it'
  // Changed by whoever: what counts is that the key did sign this item once, and not some text that names the key.
  const isOwn = status === 'verified' || (status === 'tampered' && format === 'v2')
  return isOwn ? undefined : `it names your key, which has not signed all of this item: ${reason}`
}
