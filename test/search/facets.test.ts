// Facets: each number is how many hits remain when it is chosen, over all pages.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ITEM_TYPES } from '../../src/item/item-type.ts'
import type { Space } from '../../src/item/space.ts'
import type { Facet, FacetItem } from '../../src/search/answer/search-request.ts'
import { useMemoryLibrary } from './memory-library.ts'
import type { Draft } from './sqlite/library.ts'

const library = useMemoryLibrary()

const VALUES: Readonly<Record<string, (item: FacetItem) => string>> = {
  type: item => item.type,
  space: item => item.space,
  category: item => item.category,
}
const facetsWith = (chosen: Readonly<Record<string, string>> = {}): Facet[] =>
  Object.entries(VALUES).map(([name, of]) => ({ name, of, chosen: chosen[name] }))
const countsOf = (text: string, chosen: Readonly<Record<string, string>> = {}, limit = 1) => {
  const { facets } = library.search(text, { facets: facetsWith(chosen), limit })
  return Object.fromEntries(Array.from(facets ?? [], ([name, counts]) => [name, Object.fromEntries(counts)]))
}

const draft = (id: string, type: Draft['type'], category: string, text = 'the harbour crane'): Draft => ({
  id,
  ...(type && { type }),
  fields: { content: [text], description: ['Lifts.'], category: category === '' ? [] : [category] },
})

it('are counted over all hits, not over a page', () => {
  library.fill(
    'project',
    ...Array.from({ length: 150 }, (_, at) => draft(`a/n${at}`, 'knowledge', at < 120 ? 'a' : 'b')),
    draft('a/tool', 'tool', 'a'),
    draft('a/else', 'tool', 'a', 'nothing of it'),
  )
  expect(countsOf('crane')).toEqual({
    type: { knowledge: 150, tool: 1 },
    space: { project: 151 },
    category: { a: 121, b: 30 },
  })
})

describe('what is chosen', () => {
  it('narrows the hits, and the counts of the other facets', () => {
    library.fill('project', draft('a/one', 'tool', 'a'), draft('b/two', 'tool', 'b'))
    library.fill('user', draft('a/three', 'knowledge', 'a'))
    const { rows, total } = library.search('crane', { facets: facetsWith({ category: 'a' }) })
    expect([rows.map(({ id }) => id).sort(), total]).toEqual([['a/one', 'a/three'], 2])
    expect(countsOf('crane', { category: 'a' })).toEqual({
      type: { tool: 1, knowledge: 1 },
      space: { project: 1, user: 1 },
      // Its own are what choosing another would leave.
      category: { a: 2, b: 1 },
    })
  })

  it('leaves nothing where there is none of it, and still says what there is', () => {
    library.fill('project', draft('a/one', 'tool', 'a'))
    expect(library.search('crane', { facets: facetsWith({ category: 'z' }) })).toMatchObject({
      rows: [],
      total: 0,
    })
    expect(countsOf('crane', { category: 'z' })).toEqual({ type: {}, space: {}, category: { a: 1 } })
  })

  it('finds a copy that another space has as well', () => {
    library.fill('project', draft('a/one', 'tool', 'a'))
    library.fill('user', draft('b/one', 'tool', 'b'))
    expect(library.search('crane').total).toBe(1)
    expect(countsOf('crane')).toMatchObject({ type: { tool: 1 }, space: { project: 1, user: 1 } })
    const { rows } = library.search('crane', { facets: facetsWith({ space: 'user' }) })
    expect(rows.map(({ id }) => id)).toEqual(['b/one'])
  })
})

it('a property: each count is the number of hits that choosing it leaves', async () => {
  const drafts = fc.array(
    fc.record({
      space: fc.constantFrom<Space>('project', 'user', 'system'),
      type: fc.constantFrom(...ITEM_TYPES),
      category: fc.constantFrom('', 'a', 'b/c', '"q"'),
      text: fc.constantFrom('the harbour crane', 'crane and ship', 'a ship', 'nothing'),
      name: fc.constantFrom('x', 'y', 'z'),
    }),
    { maxLength: 40 },
  )
  const question = fc.constantFrom('crane', 'harbour crane', 'ship', '*', 'how does a crane lift a ship')
  await fc.assert(
    fc.asyncProperty(drafts, question, async (made, text) => {
      await library.empty()
      for (const [at, { space, type, category, text: content, name }] of made.entries())
        library.fill(space, draft(`n${at}/${name}`, type, category, content))
      const counts = countsOf(text)
      for (const [name, values] of Object.entries(counts)) {
        for (const [value, count] of Object.entries(values)) {
          const left = library.search(text, { facets: facetsWith({ [name]: value }), limit: 100 })
          expect([name, value, left.total - left.weaker]).toEqual([name, value, count])
          expect(left.rows).toHaveLength(count)
          const facet = VALUES[name]!
          for (const { type, id, space, category } of left.rows)
            expect(facet({ type, id, space, category })).toBe(value)
        }
      }
    }),
    { numRuns: 25 },
  )
})
