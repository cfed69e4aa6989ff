// Equal items are one hit, which says how many there are.
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Space } from '../../src/item/space.ts'
import type { SearchRequest } from '../../src/search/answer/search-request.ts'
import { MEMORY } from '../../src/search/sqlite/database.ts'
import { openIndex, type SearchIndex } from '../../src/search/sqlite/search-index.ts'
import { type Draft, itemOf, requestOf } from './sqlite/library.ts'

interface Item extends Draft {
  /** Stands for the content. */
  readonly hash?: string
  readonly mayBeSigned?: boolean
}

const note = (id: string, description: string, more: Partial<Item> = {}): Item => ({
  id,
  fields: { description: [description], content: ['the crane of the harbour'] },
  hash: `content of ${id}`,
  ...more,
})

let index: SearchIndex
const SPACES: readonly Space[] = ['project', 'user', 'system']
beforeEach(async () => {
  index = await openIndex(new Map(SPACES.map(space => [space, MEMORY])))
})
afterEach(() => index.close())

const fill = (space: Space, ...items: readonly Item[]) =>
  index.apply(space, {
    upsert: items.map(item => ({
      ...itemOf(item, item.hash === undefined ? {} : { hash: item.hash }),
      mayBeSigned: item.mayBeSigned ?? false,
    })),
    remove: [],
  })
const search = (text: string, changes: Partial<SearchRequest> = {}) => index.search(requestOf(text, changes))
const found = (text: string, changes: Partial<SearchRequest> = {}) =>
  search(text, changes).rows.map(({ id, space, copies }) => `${id}@${space} ${copies}`)

describe('equal items are one hit', () => {
  it('when their content is the same, whatever they are called', () => {
    fill(
      'project',
      note('a/lift', 'Move loads', { hash: 'same' }),
      note('b/hoist', 'Move loads', { hash: 'same' }),
    )
    expect(found('harbour crane')).toEqual(['a/lift@project 2'])
  })

  it('when their name and description are the same, whatever their text', () => {
    fill('project', note('a/lift', 'Move loads'), note('b/lift', 'Move loads'), note('c/lift', 'Move people'))
    expect(found('harbour crane')).toEqual(['a/lift@project 2', 'c/lift@project 1'])
    expect(search('harbour crane').total).toBe(2)
  })

  it('through others, and in other spaces', () => {
    fill('project', note('a/lift', 'Move loads', { hash: 'same' }))
    fill('user', note('b/hoist', 'Move loads', { hash: 'same' }), note('c/hoist', 'Move loads'))
    expect(found('harbour crane')).toEqual(['a/lift@project 3'])
    expect(found('harbour crane', { spaces: ['user'] })).toEqual(['b/hoist@user 2'])
  })

  it('of those that were found: the others are not counted', () => {
    fill(
      'project',
      note('a/lift', 'Move loads'),
      note('b/lift', 'Move loads', { fields: { description: ['Move loads'] } }),
    )
    expect(found('harbour')).toEqual(['a/lift@project 1'])
    expect(found('loads')).toEqual([expect.stringMatching(/ 2$/)])
    expect(found('loads', { scope: { type: 'all', namespace: 'b', self: false } })).toEqual([
      'b/lift@project 1',
    ])
  })

  it('not when they are of different types, or have nothing but a name in common', () => {
    fill('project', note('a/lift', 'Move loads'), note('a/lift', 'Move loads', { type: 'tool' }))
    fill('user', note('x/setup', ''), note('y/setup', ''))
    expect(found('harbour crane')).toHaveLength(4)
  })

  it('not when one shadows the other: both are shown for what they are', () => {
    fill('project', note('lift', 'Move loads', { hash: 'same' }))
    fill('system', note('lift', 'Move loads', { hash: 'same' }))
    expect(found('harbour crane')).toEqual(['lift@project 1', 'lift@system 1'])
  })

  it('not when one is asked for by its id', () => {
    fill('project', note('lift', 'Move loads'), note('a/lift', 'Move loads'), note('b/lift', 'Move loads'))
    expect(found('lift')).toEqual(['lift@project 1', 'a/lift@project 2'])
  })

  it('no longer when others are gone or changed', () => {
    fill('project', note('a/lift', 'Move loads'), note('b/lift', 'Move loads'), note('c/lift', 'Move loads'))
    index.apply('project', { upsert: [], remove: ['knowledge/b/lift.md'] })
    expect(found('harbour crane')).toEqual(['a/lift@project 2'])
    fill('project', note('c/lift', 'Move people', { hash: 'new' }))
    expect(found('harbour crane')).toEqual(['a/lift@project 1', 'c/lift@project 1'])
  })
})

describe('one of them stands for all', () => {
  beforeEach(() => {
    fill('project', note('a/lift', 'Move loads'), note('b/lift', 'Move loads', { mayBeSigned: true }))
    fill('user', note('c/lift', 'Move loads', { mayBeSigned: true }))
  })

  it('the first that may be signed', () => {
    expect(found('harbour crane')).toEqual(['b/lift@project 3'])
  })

  it('the first that is preferred, with the score of the best', () => {
    const { score } = search('harbour crane').rows[0]!
    const { rows, total } = search('harbour crane', { prefers: ({ id }) => id === 'c/lift' })
    expect({ rows, total }).toMatchObject({
      rows: [{ id: 'c/lift', space: 'user', score, copies: 3 }],
      total: 1,
    })
    expect(found('harbour crane', { prefers: () => false })).toEqual(['b/lift@project 3'])
  })

  it('the others are no hits after the page either', () => {
    const asked: string[][] = []
    const wantsSigned = (rows: readonly { readonly id: string }[]) => {
      asked.push(rows.map(({ id }) => id))
      return 'all' as const
    }
    search('harbour crane', { limit: 1, wantsSigned })
    expect(asked).toEqual([['b/lift']])
  })

  it('and only what may be signed is found, if that is asked for', () => {
    const { rows, total, unsigned } = search('harbour crane', { onlySigned: true })
    expect({ rows, total, unsigned }).toMatchObject({
      rows: [{ id: 'b/lift', copies: 2 }],
      total: 1,
      unsigned: 1,
    })
  })
})

it('ten thousand copies are one hit, and at most a thousand of them are asked about', () => {
  fill(
    'project',
    ...Array.from({ length: 10_000 }, (_, at) => note(`n${at}/lift`, 'Move loads', { mayBeSigned: true })),
  )
  fill('user', note('crane', 'Restart it'))
  let asked = 0
  const prefers = () => {
    asked++
    return false
  }
  const { rows, total } = search('harbour crane', { prefers })
  expect(rows.map(({ id, copies }) => `${id} ${copies}`)).toEqual([
    'crane 1',
    expect.stringMatching(/lift 10000$/),
  ])
  expect({ total, asked }).toEqual({ total: 2, asked: 1000 })
})

it('pages are those of all hits, each group of equals is on one of them, and the total counts them', () => {
  const item = fc.record({
    folder: fc.constantFrom('a', 'b', 'c', 'd'),
    name: fc.constantFrom('lift', 'hoist', 'winch'),
    description: fc.constantFrom('', 'Move loads', 'Move people'),
    hash: fc.integer({ min: 0, max: 12 }),
    space: fc.constantFrom(...SPACES),
    mayBeSigned: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(item, { maxLength: 24 }), fc.integer({ min: 1, max: 4 }), (drafts, limit) => {
      index.clear()
      const items = new Map(
        drafts.map(draft => [
          `${draft.folder}/${draft.name}@${draft.space}`,
          { ...draft, hash: `h${draft.hash}` },
        ]),
      )
      for (const [key, { space, description, hash, mayBeSigned }] of items)
        fill(space, note(key.slice(0, key.indexOf('@')), description, { hash, mayBeSigned }))
      const whole = search('harbour crane')
      expect(whole.total).toBe(whole.rows.length)
      expect(whole.rows.reduce((sum, { copies }) => sum + copies, 0)).toBe(items.size)
      expect(whole.rows.map(({ id, space }) => `${id}@${space}`).sort()).toEqual(
        naiveFirsts(items, whole.rows),
      )
      const paged: string[] = []
      for (let offset = 0; offset < whole.total; offset += limit) {
        const page = found('harbour crane', { offset, limit })
        expect(page.length).toBeGreaterThan(0)
        paged.push(...page)
      }
      expect(paged).toEqual(found('harbour crane'))
    }),
    { numRuns: 30 },
  )
})

interface Equal {
  readonly name: string
  readonly description: string
  readonly hash: string
}

/** Of the rows, those that no earlier row is equal to, directly or through any item; all rows, if the search is right. */
function naiveFirsts(
  items: ReadonlyMap<string, Equal>,
  rows: readonly { id: string; space: Space }[],
): string[] {
  const ids = [...items.keys()]
  const isShadowed = (key: string) => {
    const [id, space] = key.split('@') as [string, Space]
    return SPACES.slice(0, SPACES.indexOf(space)).some(higher => items.has(`${id}@${higher}`))
  }
  const groups = new Map(ids.map(key => [key, key]))
  const isEqual = (a: Equal, b: Equal) =>
    a.hash === b.hash || (a.name === b.name && a.description === b.description && a.description !== '')
  const winners = ids.filter(key => !isShadowed(key))
  for (const a of winners) {
    for (const b of winners) {
      if (!isEqual(items.get(a)!, items.get(b)!)) continue
      const [from, to] = [groups.get(a)!, groups.get(b)!]
      for (const [key, group] of groups) if (group === from) groups.set(key, to)
    }
  }
  const seen = new Set<string>()
  const firsts = rows
    .map(({ id, space }) => `${id}@${space}`)
    .filter(key => {
      const group = groups.get(key)!
      if (seen.has(group)) return false
      seen.add(group)
      return true
    })
  expect(seen.size).toBe(new Set(groups.values()).size)
  return firsts.sort()
}
