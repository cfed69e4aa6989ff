// Which items speak of which: every id that occurs in the text of another item. Pure, and a guess by design: an id without a slash
// counts only with its type before it, because it may be any word.

export interface Referable {
  readonly type: string
  readonly id: string
  readonly text: string
}

const WORD = /(?:\b(directive|tool|knowledge|skill):)?([A-Za-z0-9_][\w.-]*(?:\/[\w.-]+)*)/g

/** Pairs of positions: the first names the second. */
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
      // A full stop may end a sentence.
      const id = word!.replace(/\.+$/, '')
      const to = type === undefined ? byId.get(id) : byName.get(`${type}:${id}`)
      if (to !== undefined && to !== from) found.add(to)
    }
    return [...found].map((to): [number, number] => [from, to])
  })
}
