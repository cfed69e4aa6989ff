// Prints a tree as text: `parseQuery(printQuery(q))` equals `q`, except for spans. Parentheses appear only
// where a child binds no tighter than its parent, which is where the text had a group.
import type { Query } from './types.ts'

const STRENGTH = { or: 0, and: 1, words: 2, not: 3, all: 4, term: 4, phrase: 4, wildcard: 4 } as const
const JOINERS = { or: ' OR ', and: ' AND ', words: ' ' } as const

export function printQuery(query: Query): string {
  switch (query.kind) {
    case 'all':
      return '*'
    case 'term':
      return query.text
    case 'phrase':
      return `"${query.text}"`
    case 'wildcard':
      return query.pattern
    case 'not':
      return `NOT ${printChild(query.child, STRENGTH.not)}`
    default:
      return query.children
        .map(child => printChild(child, STRENGTH[query.kind] + 1))
        .join(JOINERS[query.kind])
  }
}

function printChild(child: Query, needed: number): string {
  return STRENGTH[child.kind] >= needed ? printQuery(child) : `(${printQuery(child)})`
}
