// An item that is taken from a source: its line in the lock.
import type { LockedItem } from '../../sources/index.ts'

export interface TakenItem {
  /** As locks and approvals have it. */
  readonly name: string
  readonly digest: string
  /** Of its file in the source. */
  readonly path: string
  /** The key for whose signature it is taken. */
  readonly signer?: string | null | undefined
  /** The key whose owner has accepted it. */
  readonly accepted?: string | undefined
}

export function lockedItem({ name, digest, path, signer, accepted }: TakenItem): LockedItem {
  // What the package itself vouches for has no key.
  const isKey = signer != null && signer !== 'system'
  return { name, digest, path, ...(isKey && { signer }), ...(accepted !== undefined && { accepted }) }
}

export interface NamedFiles {
  readonly name: string
  /** Path below the type folder → bytes. */
  readonly files: ReadonlyMap<string, Uint8Array>
}
