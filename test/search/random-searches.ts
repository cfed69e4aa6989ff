// Random libraries and requests, for laws about every search.
import fc from 'fast-check'
import type { Space } from '../../src/item/space.ts'
import { SEARCH_FIELDS, type SearchField } from '../../src/query/fields.ts'
import type { Query } from '../../src/query/types.ts'

export const SPACES: readonly Space[] = ['project', 'user', 'system']
const WORDS = [
  ...['file', 'files', 'filing', 'system', 'read', 'reads', 'thread', 'web', 'webSearch', 'GitHub', 'github'],
  ...[
    'read_file',
    'file-system',
    'rye/core',
    'v1.2',
    'getUserName',
    'user',
    'name',
    'Straße',
    '数据库',
    '数',
    'Ünï',
    'APIs',
  ],
]
/** Words that only carry a question. */
export const QUESTION_WORDS = ['the', 'how']

export const word = fc.constantFrom(...WORDS, ...QUESTION_WORDS)
const text = fc.array(word, { maxLength: 6 }).map(words => words.join(' '))
const fieldTexts: fc.Arbitrary<Partial<Record<SearchField, string[]>>> = fc.dictionary(
  fc.constantFrom(...SEARCH_FIELDS),
  fc.array(text, { maxLength: 2 }),
  {
    maxKeys: 4,
  },
)
/** A line break, a quote and a name of every object are names as others are; `absent` is in no item. */
const METADATA = ['author', 'level', 'a"b\\', 'two\nlines', '__proto__', '']
const draft = fc.record({
  fields: fieldTexts,
  metadata: fc.dictionary(fc.constantFrom(...METADATA), fc.constantFrom('a', 'b', '1.2.0', ['a', '1.2.0']), {
    maxKeys: 4,
  }),
  date: fc.option(
    fc.integer({ min: 0, max: 4 }).map(day => day * 86_400_000),
    { nil: undefined },
  ),
  space: fc.constantFrom(...SPACES),
})
export const library = fc.array(draft, { maxLength: 12 })

export const span = { start: 0, end: 0 }
const wildcard = fc
  .tuple(word, fc.nat(5), fc.nat(5), fc.boolean())
  .map(
    ([of, from, length, open]) =>
      `${from > 0 ? '*' : ''}${of.slice(from, from + length + 1)}${open ? '*' : ''}`,
  )
  .filter(pattern => /[\p{L}\p{N}]/u.test(pattern) && pattern.includes('*'))
const leaf: fc.Arbitrary<Query> = fc.oneof(
  { weight: 4, arbitrary: word.map((of): Query => ({ kind: 'term', text: of, span })) },
  {
    weight: 2,
    arbitrary: fc
      .array(word, { minLength: 1, maxLength: 3 })
      .map((of): Query => ({ kind: 'phrase', text: of.join(' '), span })),
  },
  { weight: 2, arbitrary: wildcard.map((pattern): Query => ({ kind: 'wildcard', pattern, span })) },
  { weight: 1, arbitrary: fc.constant<Query>({ kind: 'all', span }) },
)
export const { query } = fc.letrec<{ query: Query }>(tie => ({
  query: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc
      .record({
        kind: fc.constantFrom('and' as const, 'or' as const, 'words' as const),
        children: fc.array(tie('query'), { minLength: 2, maxLength: 3 }),
      })
      .map((node): Query => ({ ...node, span })),
    tie('query').map((child): Query => ({ kind: 'not', child, span })),
  ),
}))
const condition = fc.oneof(
  fc.constantFrom('a', '!a', 'b', '!1.2.0', '>=1.0', '<2', '!absent'),
  fc.constantFrom(['a', '!b'], ['b', '1.2.0'], { all: ['!a', '!b'] }),
)
/** Up to more fields than an index keeps for the next search. */
const manyFilters = fc
  .uniqueArray(
    fc.tuple(fc.constantFrom(...METADATA, ...Array.from({ length: 9 }, (_, n) => `absent${n}`)), condition),
    {
      selector: ([name]) => name,
      maxLength: 12,
    },
  )
  .map(entries => ({ filters: Object.fromEntries(entries) }))

export const request = fc.record({
  query,
  match: fc.constantFrom('all' as const, 'any' as const),
  fields: fc.dictionary(fc.constantFrom(...SEARCH_FIELDS), query, { maxKeys: 1 }),
  filters: fc.oneof(
    fc.constantFrom(
      {},
      {},
      { filters: { author: 'a' } },
      { filters: { level: '>=1.0' } },
      { date_from: '1970-01-03' },
    ),
    manyFilters,
  ),
  fuzzy: fc.constantFrom(0, 0, 1, 2),
  proximity: fc.constantFrom(undefined, undefined, 0, 2),
})
