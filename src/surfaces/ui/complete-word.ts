// A word that is still being typed is the beginning of one: `deploy clu` finds what `deploy clu*` finds.

/** Of two letters there are too many. */
const WORD = /(?:^|[\s(])([\p{L}\p{N}][\p{L}\p{N}_-]{2,})$/u
const OPERATORS: ReadonlySet<string> = new Set(['AND', 'OR', 'NOT', 'WITHIN'])

/** The query with its last word as a beginning; undefined where it does not end in a plain word. */
export function completeWord(query: string): string | undefined {
  const word = WORD.exec(query)?.[1]
  if (word === undefined || OPERATORS.has(word)) return undefined
  // Inside of quotes a star means nothing.
  if ((query.match(/"/g)?.length ?? 0) % 2 === 1) return undefined
  return `${query}*`
}
