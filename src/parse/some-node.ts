// Looks for a node in a syntax tree. Without recursion, since the tree of a hostile file may be very deep.
import { isRecord } from '../base/index.ts'

/** Whether a node in the tree passes `test`. Opaque nodes are skipped, with everything below them. */
export function someNode(
  tree: unknown,
  test: (node: Readonly<Record<string, unknown>>) => boolean,
  isOpaque: (node: Readonly<Record<string, unknown>>) => boolean,
): boolean {
  const pending: unknown[] = [tree]
  while (pending.length > 0) {
    const node = pending.pop()
    if (Array.isArray(node)) for (const entry of node) pending.push(entry)
    if (!isRecord(node) || isOpaque(node)) continue
    if (test(node)) return true
    for (const value of Object.values(node)) if (typeof value === 'object') pending.push(value)
  }
  return false
}
