// The message that is signed. v2 names the item, its file and everything that its line claims, after a tag of
// its own, so a signature cannot be moved to another item, another claim or another protocol. No field can
// contain a line feed: types are ours, and ids, file names and the other fields have passed their grammar.
import { nameOf, type SignedType } from '../item/index.ts'

export interface SignedClaim {
  readonly type: SignedType
  readonly id: string
  /** The name of its file, without folders: `report.py`. */
  readonly file: string
  readonly timestamp: string
  readonly provenance: string | null
  readonly hash: string
}

/** For an item in a file of its own. */
export function fileNameOf(item: { readonly id: string; readonly extension: string }): string {
  return nameOf(item.id) + item.extension
}

export function messageV2(claim: SignedClaim): Buffer {
  const { type, id, file, timestamp, provenance, hash } = claim
  return Buffer.from(`rye-item-v2\n${type}\n${id}\n${file}\n${timestamp}\n${provenance ?? ''}\n${hash}\n`)
}

/** The older system signed the hex digits of the hash alone. */
export function messageV1(hash: string): Buffer {
  return Buffer.from(hash)
}
