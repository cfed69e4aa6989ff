// Which items mention which: every id that occurs in the text of another item. Pure, and a guess by design.
// An id without a slash could be any word, so it only counts with its type in front.

export interface Referable {
  readonly type: string
  readonly id: string
  readonly text: string
}

const WORD = /(?:\b(directive|tool|knowledge|skill):)?([A-Za-z0-9_][\w.-]*(?:\/[\w.-]+)*)/g

/** Pairs of indexes: the first mentions the second. */
export function findReferences(items: readonly Referable[]): [number, number][] {
  const byName = new Map<string, number>()
  const byId = new Map<string, number>()
  for (const [index, { type, id }] of items.entries()) {
    byName.set(`${type}:${id}`, index)
    if (id.includes('/') && !byId.has(id)) byId.set(id, index)
  }
  return items.flatMap(({ text }, from) => {
    const found = new Set<number>()
    for (const [, type, word] of text.matchAll(WORD)) {
      // A trailing full stop may end a sentence.
      const id = word!.replace(/\.+$/, '')
      const to = type === undefined ? byId.get(id) : byName.get(`${type}:${id}`)
      if (to !== undefined && to !== from) found.add(to)
    }
    return [...found].map((to): [number, number] => [from, to])
  })
}
