// A name in a question is found, a requested type is chosen, and what does not fit is left out.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Space } from '../../src/item/space.ts'
import { MEMORY } from '../../src/search/sqlite/database.ts'
import { openIndex, type SearchIndex } from '../../src/search/sqlite/search-index.ts'
import { type Draft, idsOf, itemOf, searchFor } from './sqlite/library.ts'

let index: SearchIndex
beforeEach(async () => {
  index = await openIndex(new Map<Space, string>([['project', MEMORY]]))
})
afterEach(() => index.close())

function fill(...drafts: readonly Draft[]): void {
  index.apply('project', { upsert: drafts.map(draft => itemOf(draft)), remove: [] })
}

const NAMED: Draft[] = [
  { id: 'frontend-design', type: 'skill' },
  { id: 'mcp-builder', type: 'skill' },
  { id: 'cookbook/wrap-a-command', type: 'knowledge' },
]
/** Thousands of items with the same words, more often and in better places than a name. */
const MANY: Draft[] = Array.from({ length: 3000 }, (_, at) => ({
  id: `other/item-${at}`,
  type: at % 2 ? ('tool' as const) : ('knowledge' as const),
  fields: {
    title: ['Frontend design skill, builder of mcp'],
    description: [`wrap a command, design a frontend, build with mcp builder, skill ${at}`],
  },
}))

describe('a name said', () => {
  it.each([
    ['frontend design skill', 'frontend-design'],
    ['the frontend-design skill please', 'frontend-design'],
    ['mcp builder', 'mcp-builder'],
    ['can you use mcp-builder for a server that wraps a command', 'mcp-builder'],
    ['how do I wrap a command?', 'cookbook/wrap-a-command'],
    ['Wrap a command', 'cookbook/wrap-a-command'],
  ])('in `%s` is a name found among thousands', (question, id) => {
    fill(...MANY, ...NAMED)
    expect(idsOf(searchFor(index, question))[0]).toBe(id)
  })
})

it('a noun made of a verb and a particle names nothing in a long question', () => {
  const hotel = { id: 'hotel', fields: { description: ['information about a hotel'] } }
  fill({ id: 'check-in', fields: { description: ['greet a guest'] } }, hotel)
  const question = 'give me information about the hotel whose check-in date is the day after tomorrow'
  expect(idsOf(searchFor(index, question))[0]).toBe('hotel')
  expect(idsOf(searchFor(index, 'check-in'))[0]).toBe('check-in')
})

describe('a word for a type', () => {
  const drafts: Draft[] = [
    { id: 'slides-page', type: 'knowledge', fields: { title: ['Slides'], description: ['slides slides'] } },
    { id: 'talks/make', type: 'skill', fields: { content: ['make slides for talks'] } },
    { id: 'talks/ship', type: 'directive', fields: { content: ['ship the slides'] } },
    { id: 'tool-metadata', type: 'knowledge', fields: { title: ['Tool metadata'] } },
    { id: 'stats', type: 'tool', fields: { content: ['metadata of files'] } },
  ]

  it.each([
    ['slides skill', 'talks/make'],
    ['a skill for slides', 'talks/make'],
    ['which skill makes slides', 'talks/make'],
    ['slides workflow', 'talks/ship'],
    ['directive about slides', 'talks/ship'],
    ['slides', 'slides-page'],
    ['tool metadata', 'tool-metadata'],
  ])('chooses it in `%s`', (question, id) => {
    fill(...drafts)
    expect(idsOf(searchFor(index, question))[0]).toBe(id)
  })

  it('leaves the others below, and counts as a word where there is no such item', () => {
    fill(...drafts.filter(draft => draft.type === 'knowledge'))
    expect(idsOf(searchFor(index, 'slides tool')).sort()).toEqual(['slides-page', 'tool-metadata'])
    fill(...drafts)
    expect(idsOf(searchFor(index, 'slides skill')).sort()).toEqual([
      'slides-page',
      'talks/make',
      'talks/ship',
    ])
  })
})

describe('a question about something that is not there', () => {
  const library: Draft[] = Array.from({ length: 60 }, (_, at) => ({
    id: `item-${at}`,
    fields: {
      description: [`harbour crane ${at}`],
      content: at % 3 === 0 ? ['a machine of the port'] : ['berth'],
    },
  }))

  it('is answered by the best at most, with the number of those left out', () => {
    fill(...library)
    const answer = searchFor(index, 'descale an espresso machine')
    expect(answer.rows).toHaveLength(1)
    expect([answer.total, answer.weaker]).toEqual([20, 19])
  })

  it('is answered by no more where the best may not be signed and others are', () => {
    const signed = library.map(draft => ({ ...itemOf(draft), mayBeSigned: true }))
    index.apply('project', { upsert: signed, remove: [] })
    const { rows, weaker } = searchFor(index, 'descale an espresso machine', {
      wantsSigned: () => ({ least: 0 }),
    })
    expect([rows.length, weaker]).toEqual([1, 19])
    expect(
      searchFor(index, 'port machine', { limit: 1, wantsSigned: () => ({ least: 0 }) }).rows,
    ).toHaveLength(20)
  })

  it('is answered in full by `any`, and when all its words are there', () => {
    fill(...library)
    expect(searchFor(index, 'descale an espresso machine', { match: 'any' })).toMatchObject({
      total: 20,
      weaker: 0,
    })
    expect(searchFor(index, 'port machine')).toMatchObject({ total: 20, weaker: 0 })
  })

  it('is not answered by words that only carry it, unless it has no others', () => {
    fill(...library)
    expect(searchFor(index, 'the espresso', { match: 'any' }).total).toBe(0)
    expect(searchFor(index, 'the', { match: 'any' }).total).toBe(20)
  })

  it('has the same hits on every page', () => {
    fill(...library)
    const next = searchFor(index, 'descale an espresso machine', { offset: 1 })
    expect([next.rows.length, next.total, next.weaker]).toEqual([0, 20, 19])
  })
})

describe('a brief answer to a question that an item answers', () => {
  const answers = ['kiln', 'oven'].map(id => ({ id, fields: { description: ['bake glazed pottery'] } }))
  const distant: Draft[] = Array.from({ length: 60 }, (_, at) => ({
    id: `distant-${at}`,
    fields: { description: [at < 6 ? 'glazed clay' : 'mortar'] },
  }))

  it('leaves out what is far behind it, but for the first three', () => {
    fill(...answers, ...distant)
    const answer = searchFor(index, 'bake glazed pottery', { isBrief: true })
    expect(idsOf(answer).slice(0, 2)).toEqual(['kiln', 'oven'])
    expect([answer.rows.length, answer.total, answer.weaker]).toEqual([3, 8, 5])
    expect(answer.rows[2]!.score).toBeLessThan(0.6 * answer.rows[0]!.score)
  })

  it('is the only kind that leaves them out', () => {
    fill(...answers, ...distant)
    expect(searchFor(index, 'bake glazed pottery')).toMatchObject({ total: 8, weaker: 0 })
  })

  it('keeps all for a single word, for `any`, and on other orders', () => {
    fill(...answers, ...distant)
    expect(searchFor(index, 'glazed', { isBrief: true })).toMatchObject({ total: 8, weaker: 0 })
    expect(searchFor(index, 'bake glazed pottery', { match: 'any', isBrief: true })).toMatchObject({
      weaker: 0,
    })
    expect(searchFor(index, 'bake glazed pottery', { sortBy: 'name', isBrief: true })).toMatchObject({
      weaker: 0,
    })
  })

  it('has the same hits on every page', () => {
    fill(...answers, ...distant)
    const next = searchFor(index, 'bake glazed pottery', { offset: 2, isBrief: true })
    expect([next.rows.length, next.weaker]).toEqual([1, 5])
  })
})
