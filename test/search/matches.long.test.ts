// The engine against an oracle that reads every document: same matches, exact totals, pages without gaps or
// repeats.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Space } from '../../src/item/space.ts'
import type { SearchField } from '../../src/query/fields.ts'
import { readFilters } from '../../src/query/filters.ts'
import type { Query } from '../../src/query/types.ts'
import { MEMORY } from '../../src/search/sqlite/database.ts'
import { openIndex, type SearchIndex } from '../../src/search/sqlite/search-index.ts'
import { foldWord } from '../../src/search/text/fold.ts'
import { stem } from '../../src/search/text/porter.ts'
import { type TokenKind, visitTokens } from '../../src/search/text/tokenize.ts'
import { type NaiveRequest, naiveSearch } from './naive-search.ts'
import { library, QUESTION_WORDS, query, request, SPACES, span, word } from './random-searches.ts'
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
