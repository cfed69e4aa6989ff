// A cached item as a candidate, made from its own files as if its row had just been read.
import { AppError, sha256Hex } from '../../base/index.ts'
import { type Candidate, packFiles } from '../../catalogue/index.ts'
import type { Extractors } from '../../extract/index.ts'
import { type ItemRoot, listItems } from '../../scan/index.ts'
import { makeItem, readFiles } from './make-item.ts'
import type { CachedName } from './object-cache.ts'

/** Throws an `AppError` when it cannot be read. */
export async function readCached(
  root: ItemRoot,
  { type, id }: CachedName,
  extractors: Extractors,
): Promise<Candidate> {
  const file = listItems([root], extractors).items.find(item => item.type === type && item.id === id)
  if (!file) throw new AppError('ITEM_NOT_FOUND', `\`${type}:${id}\` is not in the cache`)
  const files = readFiles(file, extractors)
  const { extension, document, signer } = await makeItem(files, extractors)
  // Leaves out the files beside a tool, which do not describe it.
  const bytes = packFiles(files.files)
  const found = { root: '', type, id, extension, digest: sha256Hex(bytes), signer, document, bytes }
  return { ...found, source: '', commit: '' }
}
