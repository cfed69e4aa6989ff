// The engine against an oracle that reads every document: same matches, exact totals, pages that join without a seam.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Space } from '../../src/item/space.ts'
import { SEARCH_FIELDS, type SearchField } from '../../src/query/fields.ts'
import { readFilters } from '../../src/query/filters.ts'
import type { Query } from '../../src/query/types.ts'
import { MEMORY } from '../../src/search/sqlite/database.ts'
import { openIndex, type SearchIndex } from '../../src/search/sqlite/search-index.ts'
import { foldWord } from '../../src/search/text/fold.ts'
import { stem } from '../../src/search/text/porter.ts'
import { type TokenKind, visitTokens } from '../../src/search/text/tokenize.ts'
import { type NaiveRequest, naiveSearch } from './naive-search.ts'
import { type Draft, documentOf, itemOf, requestOf } from './sqlite/library.ts'

const language = {
  analyse: (text: string) => {
    const tokens: { text: string; position: number; kind: TokenKind }[] = []
    visitTokens(text, (token, position, kind) => tokens.push({ text: token, position, kind }))
    return tokens
  },
  stem,
  fold: foldWord,
  isQuestionWord: (of: string) => QUESTION_WORDS.includes(of),
}

const SPACES: readonly Space[] = ['project', 'user', 'system']
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
const QUESTION_WORDS = ['the', 'how']

const word = fc.constantFrom(...WORDS, ...QUESTION_WORDS)
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
const library = fc.array(draft, { maxLength: 12 })

const span = { start: 0, end: 0 }
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
const { query } = fc.letrec<{ query: Query }>(tie => ({
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

const request = fc.record({
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

async function withLibrary(
  drafts: readonly (Omit<Draft, 'id'> & { readonly space: Space })[],
  run: (index: SearchIndex, named: readonly (Draft & { readonly space: Space })[]) => void,
): Promise<void> {
  const named = drafts.map((entry, number) => ({ ...entry, id: `item${number}` }))
  const index = await openIndex(new Map(SPACES.map(space => [space, MEMORY])))
  try {
    for (const space of SPACES) {
      const upsert = named.filter(entry => entry.space === space).map(entry => itemOf(entry))
      index.apply(space, { upsert, remove: [] })
    }
    run(index, named)
  } finally {
    index.close()
  }
}

function naiveIds(named: readonly Draft[], asked: NaiveRequest): string[] {
  const documents = named.map(entry => ({
    id: entry.id,
    fields: documentOf(entry).fields,
    metadata: new Map(Object.entries(entry.metadata ?? {})),
    ...(entry.date !== undefined && { date: entry.date }),
  }))
  return naiveSearch(documents, asked, language)
}

describe('the matches of a search', () => {
  it('are those of an oracle that reads every document', async () => {
    await fc.assert(
      fc.asyncProperty(
        library,
        fc.array(request, { minLength: 1, maxLength: 12 }),
        async (drafts, requests) => {
          await withLibrary(drafts, (index, named) => {
            for (const asked of requests) {
              const fields = new Map(Object.entries(asked.fields) as [SearchField, Query][])
              const filters = readFilters(asked.filters)
              const expected = naiveIds(named, { ...asked, fields, filters } as NaiveRequest)
              const answer = index.search(requestOf('', { ...asked, fields, filters }))
              expect(answer.rows.map(row => row.id).sort()).toEqual(expected.sort())
              expect(answer.total).toBe(expected.length)
            }
          })
        },
      ),
      { numRuns: 60 },
    )
  })

  it('say which items have all words of a question, and hold every item that has a word', async () => {
    const words = fc.array(
      word.filter(of => /^\p{L}+$/u.test(of)),
      { minLength: 1, maxLength: 4 },
    )
    await fc.assert(
      fc.asyncProperty(library, words, async (drafts, asked) => {
        await withLibrary(drafts, (index, named) => {
          const children = asked.map(of => ({ kind: 'term' as const, text: of, span }))
          const whole: Query = children.length === 1 ? children[0]! : { kind: 'words', children, span }
          const telling = children.filter(child => !QUESTION_WORDS.includes(child.text))
          const asking: Query = { kind: 'words', children: telling.length > 0 ? telling : children, span }
          const found = naiveIds(named, { query: asking, match: 'any' })
          const full = naiveIds(named, { query: asking, match: 'all' })
          const { rows } = index.search(requestOf('', { query: whole }))
          expect(
            rows
              .filter(row => !row.partial)
              .map(row => row.id)
              .sort(),
          ).toEqual(full.sort())
          expect(rows.map(row => row.id)).toEqual(expect.arrayContaining([...full, ...found]))
        })
      }),
      { numRuns: 40 },
    )
  })

  it('come in pages that join to the whole, in order of score, space and id', async () => {
    const paging = fc.record({
      limit: fc.integer({ min: 1, max: 5 }),
      sortBy: fc.constantFrom('score', 'date', 'name'),
    })
    await fc.assert(
      fc.asyncProperty(library, query, paging, async (drafts, asked, { limit, sortBy }) => {
        await withLibrary(drafts, index => {
          const base = { query: asked, sortBy: sortBy as 'score' | 'date' | 'name' }
          const whole = index.search(requestOf('', base))
          const pages: string[] = []
          for (let offset = 0; offset < whole.total; offset += limit) {
            const page = index.search(requestOf('', { ...base, offset, limit }))
            expect(page.total).toBe(whole.total)
            pages.push(...page.rows.map(row => `${row.space} ${row.id} ${row.score}`))
          }
          expect(pages).toEqual(whole.rows.map(row => `${row.space} ${row.id} ${row.score}`))
          if (sortBy === 'score') expect(whole.rows.map(orderKey)).toEqual(whole.rows.map(orderKey).sort())
        })
      }),
      { numRuns: 40 },
    )
  })
})

function orderKey(row: { score: number; space: Space; id: string }): string {
  return `${(1 - row.score).toFixed(4)} ${SPACES.indexOf(row.space)} ${row.id}`
}
