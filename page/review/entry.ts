// The names, as used in addresses, of items that wait for a decision.
import type { Waiting } from '../../src/surfaces/ui/summary-types.ts'

export type Entry = Omit<Waiting, 'status'>

export function entryName({ item_type, item_id, space }: Entry): string {
  return `${item_type}:${item_id}@${space}`
}

export function readName(name: string): Entry | undefined {
  const [, item_type, item_id, space] = /^(\w+):(.+)@(\w+)$/.exec(name) ?? []
  return item_type && item_id && space ? { item_type, item_id, space } : undefined
}

/**
 * The next item in the queue after this one, so that skipped items stay behind; wraps around at the end.
 * Undefined when there is no other.
 */
export function nextOf<One extends Entry>(queue: readonly One[], from: string): One | undefined {
  const at = queue.findIndex(one => entryName(one) === from)
  const next = queue[(at + 1) % queue.length]
  return next && entryName(next) !== from ? next : undefined
}
