// An item that is taken from a source: its line in the lock, and what is kept of it beside its files.
import type { LockedItem } from '../../sources/index.ts'
import { printSkillManifest } from '../../trust/approvals/index.ts'
import { manifestOf, splitName } from './target.ts'

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

/** The list of files of each skill among them, by which a later state can be compared with this one. */
export function skillLists(items: readonly NamedFiles[]): Uint8Array[] {
  return items.flatMap(({ name, files }) => {
    const { type, below } = splitName(name)
    return type === 'skill' ? Buffer.from(printSkillManifest(new Map(manifestOf(below, files)))) : []
  })
}
