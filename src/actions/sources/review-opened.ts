// Reviews an item that was read: its own files, without the signature.
import { basename } from 'node:path'
import { type ItemReview, reviewItem } from '../../sources/review/index.ts'
import type { OpenedItem } from '../../workspace/index.ts'

export async function reviewOpened({ file, bytes, parts, parse }: OpenedItem): Promise<ItemReview> {
  const files = parts.size > 0 ? parts : new Map([[basename(file.path), bytes]])
  const { metadata } = await parse()
  return reviewItem(files, { ...file, metadata })
}
