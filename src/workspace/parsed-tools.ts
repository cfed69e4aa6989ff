// Caches parsed tools by content: a server mostly calls tools that it has called before, and parsing takes
// longer than a warm call. The meaning of a file depends only on its bytes, its id and the extractor. The
// verdict on it is never cached here.
import { type Extractor, extractItem, type ParsedItem } from '../extract/index.ts'

type ItemSource = Parameters<typeof extractItem>[1]

const MOST_KEPT = 64
const MOST_BYTES = 100_000

/** A project's or user's extractor is read anew for each call, and the results parsed with it go with it. */
const kept = new WeakMap<Extractor, Map<string, Promise<ParsedItem>>>()

export function parseItem(extractor: Extractor, source: ItemSource, digest: string): Promise<ParsedItem> {
  if (extractor.type !== 'tool' || source.bytes.length > MOST_BYTES) return extractItem(extractor, source)
  const parsed = kept.get(extractor) ?? new Map<string, Promise<ParsedItem>>()
  kept.set(extractor, parsed)
  const key = `${digest} ${source.extension} ${source.id}`
  const known = parsed.get(key) ?? extractItem(extractor, source).then(deepFreeze)
  // Moves the entry to the end, so the least recently used one goes first.
  parsed.delete(key)
  parsed.set(key, known)
  const oldest = parsed.keys().next()
  if (parsed.size > MOST_KEPT && !oldest.done) parsed.delete(oldest.value)
  known.catch(() => parsed.delete(key))
  return known
}

/** No call may change values that another call gets. Without recursion, as values may nest deeply. */
function deepFreeze<T>(value: T): T {
  const pending: unknown[] = [value]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next !== 'object' || next === null || Object.isFrozen(next)) continue
    Object.freeze(next)
    pending.push(...Object.values(next).filter(entry => entry !== undefined))
  }
  return value
}
