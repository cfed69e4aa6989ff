// What this program has put into a space on this machine. A lock that came with a pull may ask for other bytes, or for an item no more: what lies
// there exactly as it was put there is then replaced or removed, and everything else is somebody's own work.
import { join } from 'node:path'
import { isRecord } from '../../base/index.ts'
import { atomicWrite, readFile } from '../../files/index.ts'

/** Digests by name, both as locks have them. */
export type PlacedItems = ReadonlyMap<string, string>

const FILE = 'placed-items.json'
const MAX_BYTES = 16 * 1024 * 1024

/** `state` is the folder for what is remembered of the space. What cannot be read is not known: nothing is replaced for its sake. */
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
