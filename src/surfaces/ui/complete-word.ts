// A word that is still being typed counts as a prefix: `deploy clu` finds what `deploy clu*` finds.

/** Three characters at least: a prefix of two matches too many words. */
const WORD = /(?:^|[\s(])([\p{L}\p{N}][\p{L}\p{N}_-]{2,})$/u
const OPERATORS: ReadonlySet<string> = new Set(['AND', 'OR', 'NOT', 'WITHIN'])

/** The query with its last word as a prefix; undefined when it does not end in a plain word. */
export function completeWord(query: string): string | undefined {
  const word = WORD.exec(query)?.[1]
  if (word === undefined || OPERATORS.has(word)) return undefined
  // Inside quotes a star means nothing.
  if ((query.match(/"/g)?.length ?? 0) % 2 === 1) return undefined
  return `${query}*`
}
