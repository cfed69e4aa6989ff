// The line in the lock for an item that is taken from a source.
import type { LockedItem } from '../../sources/index.ts'

export interface TakenItem {
  /** The name in the form of locks and approvals. */
  readonly name: string
  readonly digest: string
  /** Path of its file in the source. */
  readonly path: string
  /** The key whose signature makes it acceptable. */
  readonly signer?: string | null | undefined
  /** The key of the person who accepted it. */
  readonly accepted?: string | undefined
}

export function lockedItem({ name, digest, path, signer, accepted }: TakenItem): LockedItem {
  // Items that the package itself vouches for have no key.
  const isKey = signer != null && signer !== 'system'
  return { name, digest, path, ...(isKey && { signer }), ...(accepted !== undefined && { accepted }) }
}

export interface NamedFiles {
  readonly name: string
  /** Path relative to the type folder → bytes. */
  readonly files: ReadonlyMap<string, Uint8Array>
}
