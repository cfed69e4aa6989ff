// Random query trees in the parser's form, and an outline of a tree without its spans.
import fc from 'fast-check'
import type { Query } from '../../src/query/types.ts'

const SPAN = { start: 0, end: 0 }
const SIGNS = new Set(['AND', 'OR', 'NOT'])

/** Builds trees over given leaves. Lists have two children or more, as the parser never makes a shorter one. */
export function queryOver(leaf: fc.Arbitrary<Query>, depth = 3): fc.Arbitrary<Query> {
  if (depth === 0) return leaf
  const child = queryOver(leaf, depth - 1)
  const children = fc.array(child, { minLength: 2, maxLength: 3 })
  return fc.oneof(
    { arbitrary: leaf, weight: 2 },
    child.map((only): Query => ({ kind: 'not', child: only, span: SPAN })),
    fc
      .tuple(fc.constantFrom('and' as const, 'or' as const, 'words' as const), children)
      .map(([kind, list]): Query => ({ kind, children: list, span: SPAN })),
  )
}

const word = fc
  .string({
    unit: fc.constantFrom('a', 'B', '7', 'é', '-', '_', ':', '語', 'N', 'O', 'T'),
    minLength: 1,
    maxLength: 6,
  })
  .filter(text => /[\p{L}\p{N}]/u.test(text) && !SIGNS.has(text))

export const canonicalLeaf: fc.Arbitrary<Query> = fc.oneof(
  fc.constant<Query>({ kind: 'all', span: SPAN }),
  word.map((text): Query => ({ kind: 'term', text, span: SPAN })),
  fc
    .array(fc.oneof(word, fc.constantFrom('AND', '(', '*')), { minLength: 1, maxLength: 3 })
    .map(words => words.join(' '))
    .filter(text => /[\p{L}\p{N}]/u.test(text))
    .map((text): Query => ({ kind: 'phrase', text, span: SPAN })),
  fc
    .tuple(word, fc.constantFrom('*', 'x*'), word)
    .map(
      ([left, star, right]): Query => ({ kind: 'wildcard', pattern: `*${left}${star}${right}`, span: SPAN }),
    ),
)

export const canonicalQuery = queryOver(canonicalLeaf)

/** A tree as one line: `(words file (not temporary))`. */
export function outline(query: Query): string {
  switch (query.kind) {
    case 'all':
      return '*'
    case 'term':
      return query.text
    case 'phrase':
      return `"${query.text}"`
    case 'wildcard':
      return `~${query.pattern}~`
    case 'not':
      return `(not ${outline(query.child)})`
    default:
      return `(${query.kind} ${query.children.map(outline).join(' ')})`
  }
}
