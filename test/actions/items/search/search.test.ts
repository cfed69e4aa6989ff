import { beforeAll, describe, expect, it } from 'vitest'
import { knowledge, type Scratch, scratch, skill } from '../../../workspace/scratch.ts'
import { found, ids, SHIP } from './search-library.ts'

let ship: Scratch
beforeAll(async () => {
  ship = await scratch(SHIP, { key: false, shared: true })
  return ship.close
})

describe('what is searched', () => {
  it.each([
    ['a question gets an answer', 'how do I undo a bad deploy?', {}, 'ops/rollback'],
    ['a typo with fuzzy', 'rolbback', { fuzzy: 2 }, 'ops/rollback'],
    ['fuzzy as an object', 'rolbback', { fuzzy: { enabled: true, max_distance: 2 } }, 'ops/rollback'],
    ['a phrase', '"previous image"', {}, 'ops/rollback'],
    ['a wildcard', 'flo*', {}, 'kitchen/bread'],
    ['a suffix', '*our', {}, 'kitchen/bread'],
    ['an infix', '*atien*', {}, 'kitchen/bread'],
    ['near words', 'flour salt', { proximity: { enabled: true, max_distance: 1 } }, 'kitchen/bread'],
    ['a field', '*', { fields: { title: 'rolling' } }, 'ops/rollback'],
    ['an exact id', 'ops/ship_it', {}, 'ops/ship_it'],
    ['an exact name', 'bread', {}, 'kitchen/bread'],
  ])('%s', async (_title, query, input, expected) => {
    expect((await found(ship, query, input))[0]).toBe(expected)
  })

  it.each([
    ['operators are exact', 'deploy AND cluster', {}, ['ops/deploy']],
    ['NOT', 'deploy NOT cluster', {}, ['ops/rollback']],
    ['a group keeps', 'undo (cluster OR deploy)', { match: 'all' }, ['ops/rollback']],
    ['match all', 'deploy cluster', { match: 'all' }, ['ops/deploy']],
    ['type', '*', { item_type: 'skill' }, ['pdf']],
    ['scope by type', '*', { scope: 'directive' }, ['ops/ship_it']],
    ['scope by namespace', '*', { scope: 'knowledge.kitchen.*' }, ['kitchen/bread']],
    ['scope as a capability', '*', { scope: 'rye.fetch.tool.ops.*' }, ['ops/deploy']],
    ['a namespace ends at a boundary', '*', { scope: 'tool.op.*' }, []],
    ['category', '*', { category: 'kitchen' }, ['kitchen/bread']],
    ['tags', '*', { tags: ['food', 'nothing'] }, ['kitchen/bread']],
    [
      'dates from',
      '*',
      { item_type: 'knowledge', date_from: '2024-01-01', date_to: '2024-12-31' },
      ['ops/rollback'],
    ],
    ['dates to', '*', { item_type: 'knowledge', date_to: '2023-12-31' }, ['kitchen/bread']],
    ['filter by equality', '*', { filters: { author: 'ADA' } }, ['ops/rollback']],
    ['filter by version', '*', { item_type: 'tool', filters: { version: '>=2.0.0' } }, ['ops/deploy']],
    ['filter by a newer version', '*', { item_type: 'tool', filters: { version: '>2.1.0' } }, []],
    [
      'filter by a range of versions',
      '*',
      { item_type: 'tool', filters: { version: { all: ['>=1', '<2.1'] } } },
      [],
    ],
    [
      'filter by a wider range',
      '*',
      { item_type: 'tool', filters: { version: { all: ['>=1', '<3'] } } },
      ['ops/deploy'],
    ],
    [
      'two queries of a field',
      '*',
      { fields: { description: { all: ['undo', 'deploy'] } } },
      ['ops/rollback'],
    ],
    ['two queries of a field, one in vain', '*', { fields: { description: { all: ['undo', 'bread'] } } }, []],
    ['filter by negation', '*', { item_type: 'knowledge', filters: { author: '!ada' } }, ['kitchen/bread']],
    ['far words', 'flour patience', { proximity: 1 }, []],
    ['other spaces', 'flour', { source: 'user' }, []],
  ])('%s', async (_title, query, input, expected) => {
    expect(await found(ship, query, input)).toEqual(expected)
  })

  it('pages with exact totals, in a stable order', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 23 }, (_, index) => {
        const id = `n/item-${String(index).padStart(2, '0')}`
        return [`.ai/knowledge/${id}.md`, knowledge(id, { title: 'Same', description: 'Same words' })]
      }),
    )
    const made = await scratch(files)
    const seen: string[] = []
    for (let offset = 0; offset < 30; offset += 7) {
      const answer = await made.run('search', { query: 'same words', source: 'project', limit: 7, offset })
      expect(answer).toMatchObject({ total: 23, limit: 7, offset })
      seen.push(...ids(answer))
    }
    expect(seen).toEqual([...seen].sort())
    expect(new Set(seen).size).toBe(23)
  })

  it('sorts by name and by date, newest first', async () => {
    expect(await found(ship, '*', { sort_by: 'name' })).toEqual([
      'kitchen/bread',
      'ops/deploy',
      'pdf',
      'ops/rollback',
      'ops/ship_it',
    ])
    expect(await found(ship, '*', { sort_by: 'date', item_type: 'knowledge' })).toEqual([
      'ops/rollback',
      'kitchen/bread',
    ])
  })

  it('searches other clients’ skill folders', async () => {
    const made = await scratch({
      '.claude/skills/slides/SKILL.md': skill('slides'),
      'user:.agents/skills/sheets/SKILL.md': skill('sheets'),
    })
    expect(await found(made, 'slides')).toEqual(['slides'])
    expect(ids(await made.run('search', { query: 'sheets', source: 'user' }))).toEqual(['sheets'])
  })
})
