// What an index keeps of an item to find its copies: short digests of its id, of its content, and of its name
// and description.
import { sha256Hex } from '../../base/index.ts'
import type { SearchDocument } from '../text/document.ts'

/**
 * Bytes of each key. They can be few: someone who makes two items with the same key only gets them shown as
 * one.
 */
const KEY_BYTES = 8

interface KeyedItem {
  /** The digest of the content. */
  readonly hash: string
  readonly document: SearchDocument
}

/** The keys of an item, in the form that `findCopies` takes. */
export function copyKeys({ hash, document }: KeyedItem): Uint8Array {
  const { type, id, name, description } = document
  // A name alone is no key, since names such as `index` and `setup` are common.
  const text = description === '' ? '' : keyOf('text', type, name, description)
  const none = '00'.repeat(KEY_BYTES)
  return Buffer.from([keyOf('id', type, id), keyOf('content', type, hash), text || none].join(''), 'hex')
}

function keyOf(...parts: readonly string[]): string {
  return sha256Hex(JSON.stringify(parts)).slice(0, KEY_BYTES * 2)
}
