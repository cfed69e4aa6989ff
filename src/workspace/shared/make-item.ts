// Makes an item for a catalogue from the files of a space: its row comes from what the files say.
import { basename } from 'node:path'
import { AppError } from '../../base/index.ts'
import { type CatalogueItem, isPlainPath, packFiles } from '../../catalogue/index.ts'
import type { Extractors } from '../../extract/index.ts'
import { isItemType } from '../../item/index.ts'
import type { ItemFile } from '../../scan/index.ts'
import { SKILL_SIGNATURE } from '../../trust/index.ts'
import { readItem } from '../open-item.ts'
import { documentOf, type ItemFiles, judgeFiles, NO_TRUST } from './item-files.ts'

export function readFiles(file: ItemFile, extractors: Extractors): ItemFiles {
  const { type, id, extension, path } = file
  if (!isItemType(type)) throw new Error(`unreachable: ${type} is no item`)
  const { bytes, parts, detached } = readItem(
    { entry: file, shadows: [], shadowedBy: null },
    extractors,
    NO_TRUST,
  )
  const name = basename(path)
  const isSkill = extractors.get(type)?.itemFile !== null
  const files = isSkill ? new Map(parts) : new Map([[name, bytes]])
  if (detached) files.set(isSkill ? SKILL_SIGNATURE : `${name}.sig`, detached)
  return { type, id, extension, files }
}

/** Throws `ITEM_MALFORMED`. */
export async function makeItem(item: ItemFiles, extractors: Extractors): Promise<CatalogueItem> {
  const odd = [...item.files.keys()].find(path => !isPlainPath(path))
  if (odd !== undefined)
    throw new AppError('ITEM_MALFORMED', `a catalogue cannot hold a file of the name ${JSON.stringify(odd)}`)
  const { signer } = judgeFiles(item, { extractors, trust: NO_TRUST, root: '' })
  return {
    extension: item.extension,
    document: await documentOf(item, extractors),
    packed: packFiles(item.files),
    signer: signer ?? '',
    ...{ source: '', commit: '', stamp: '' },
  }
}
