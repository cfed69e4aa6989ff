// Tools as they were parsed, by their content: most calls of a server are for tools that it has called before, and parsing takes longer
// than a warm call. What a file means depends on its bytes, its id and the extractor alone; the verdict on it is never kept here.
import { type Extractor, extractItem, type ParsedItem } from '../extract/index.ts'

type ItemSource = Parameters<typeof extractItem>[1]

const MOST_KEPT = 64
const MOST_BYTES = 100_000

/** An extractor of a project or a user is read anew for each call, and what was parsed with it goes with it. */
const kept = new WeakMap<Extractor, Map<string, Promise<ParsedItem>>>()

export function parseItem(extractor: Extractor, source: ItemSource, digest: string): Promise<ParsedItem> {
  if (extractor.type !== 'tool' || source.bytes.length > MOST_BYTES) return extractItem(extractor, source)
  const parsed = kept.get(extractor) ?? new Map<string, Promise<ParsedItem>>()
  kept.set(extractor, parsed)
  const key = `${digest} ${source.extension} ${source.id}`
  const known = parsed.get(key) ?? extractItem(extractor, source).then(deepFreeze)
  // The one that was used last is the last to go.
  parsed.delete(key)
  parsed.set(key, known)
  const oldest = parsed.keys().next()
  if (parsed.size > MOST_KEPT && !oldest.done) parsed.delete(oldest.value)
  known.catch(() => parsed.delete(key))
  return known
}

/** No call may change what another one is given. Without recursion, as values may nest deeply. */
function deepFreeze<T>(value: T): T {
  const pending: unknown[] = [value]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next !== 'object' || next === null || Object.isFrozen(next)) continue
    Object.freeze(next)
    pending.push(...Object.values(next).filter(entry => entry !== undefined))
  }
  return value
}
