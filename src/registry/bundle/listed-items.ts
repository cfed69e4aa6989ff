// The items that a bundle's manifest lists: unchecked claims of its publisher.
import { flattenText, isRecord, type JsonObject } from '../../base/index.ts'
import { type ItemType, idProblem, isItemType } from '../../item/index.ts'
import { isFingerprint } from '../../trust/index.ts'

export interface ListedItem {
  readonly type: ItemType
  readonly id: string
  readonly description: string
  readonly version?: string
  /** Fingerprint of the key that the signature names. */
  readonly signer?: string
}

const MOST_ITEMS = 500
const MOST_TEXT = 300

/** Entries that cannot be read are left out. */
export function readListedItems(manifest: JsonObject): ListedItem[] {
  const { rye } = manifest
  const items: readonly unknown[] = isRecord(rye) && Array.isArray(rye.items) ? rye.items : []
  return items
    .slice(0, MOST_ITEMS)
    .filter(isRecord)
    .flatMap(({ type, id, description, version, signer }) => {
      if (!isItemType(type) || typeof id !== 'string' || idProblem(id) !== undefined) return []
      return {
        ...{ type, id, description: textOf(description) },
        ...(typeof version === 'string' && { version: textOf(version) }),
        ...(typeof signer === 'string' && isFingerprint(signer) && { signer }),
      }
    })
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? flattenText(value).slice(0, MOST_TEXT) : ''
}
