// Remembers what this program has put into a space on this machine. A lock that came with a pull may ask for
// other bytes, or no longer list an item. Files that are exactly as they were put there are then replaced or
// removed; anything else is somebody's own work.
import { join } from 'node:path'
import { isRecord } from '../../base/index.ts'
import { atomicWrite, readFile } from '../../files/index.ts'

/** Digests by name, both in the form of locks. */
export type PlacedItems = ReadonlyMap<string, string>

const FILE = 'placed-items.json'
const MAX_BYTES = 16 * 1024 * 1024

/**
 * `state` is the folder of the user's state for this space. An unreadable file counts as empty, so that
 * nothing is replaced because of it.
 */
export function readPlaced(state: string): PlacedItems {
  const text = readFile(join(state, FILE), { maxBytes: MAX_BYTES })?.bytes.toString('utf8')
  const items = text === undefined ? undefined : itemsIn(text)
  return new Map(Object.entries(items ?? {}).filter((one): one is [string, string] => isText(one[1])))
}

export function writePlaced(state: string, placed: PlacedItems): void {
  const items = Object.fromEntries([...placed].sort())
  atomicWrite(join(state, FILE), `${JSON.stringify({ version: 1, items })}\n`, { root: state, mode: 0o600 })
}

function itemsIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const content: unknown = JSON.parse(text)
    return isRecord(content) && content.version === 1 && isRecord(content.items) ? content.items : undefined
  } catch {
    return undefined
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
