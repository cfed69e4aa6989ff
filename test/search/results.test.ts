// What a caller sees: order, scores, reasons, previews, hints, bounds.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ITEM_TYPES } from '../../src/item/item-type.ts'
import type { Space } from '../../src/item/space.ts'
import { readFields, SEARCH_FIELDS } from '../../src/query/fields.ts'
import { readFilters } from '../../src/query/filters.ts'
import { readQuery } from '../../src/query/read-query.ts'
import { parseScope } from '../../src/query/scope.ts'
import type { SearchRequest } from '../../src/search/answer/search-request.ts'
import { MEMORY } from '../../src/search/sqlite/database.ts'
import { openIndex, type SearchIndex } from '../../src/search/sqlite/search-index.ts'
import { type Draft, idsOf, itemOf, requestOf, searchFor } from './sqlite/library.ts'

let index: SearchIndex

beforeEach(async () => {
  index = await openInMemory()
})

function openInMemory(): Promise<SearchIndex> {
  return openIndex(
    new Map<Space, string>([
      ['project', MEMORY],
      ['user', MEMORY],
      ['system', MEMORY],
    ]),
  )
}

afterEach(() => {
  index.close()
})

function fill(space: Space, ...drafts: readonly Draft[]): void {
  index.apply(space, { upsert: drafts.map(draft => itemOf(draft)), remove: [] })
}

describe('the order of results', () => {
  it('has a word of the title before a body that repeats it in every other line', () => {
    fill(
      'project',
      { id: 'code', fields: { content: ['start = find(text) end '.repeat(40)] } },
      { id: 'guide', fields: { title: ['start here now'], content: ['first steps '.repeat(20)] } },
      { id: 'other', fields: { content: ['end of text '.repeat(40)] } },
    )
    expect(idsOf(searchFor(index, 'start'))).toEqual(['guide', 'code'])
  })

  it.each(['start stop stop', 'stopped start stops'])(
    'has the word first that `%s` says twice, however it is inflected',
    query => {
      fill(
        'project',
        { id: 'a', fields: { content: ['start of it'] } },
        { id: 'b', fields: { content: ['stop of it'] } },
        { id: 'c', fields: { content: ['neither of both'] } },
      )
      expect(idsOf(searchFor(index, query))[0]).toBe('b')
    },
  )

  it('has the name as it is spelt before other spellings of it, in whatever space', () => {
    fill('project', { id: 'a/readFile', fields: {} }, { id: 'c/read_file', fields: {} })
    fill('user', { id: 'b/read_file', fields: {} })
    expect(idsOf(searchFor(index, 'read_file'))).toEqual(['c/read_file', 'b/read_file', 'a/readFile'])
    expect(idsOf(searchFor(index, 'readFile'))[0]).toBe('a/readFile')
  })

  it('has the name first among those that a field allows, and lifts no restriction', () => {
    fill(
      'project',
      { id: 'ops/deploy', fields: { category: ['ops'], content: ['filler '.repeat(300)] } },
      { id: 'web/deploy', fields: { category: ['web'] } },
      { id: 'ops/zz', fields: { category: ['ops'], title: ['deploy deploy deploy'], content: ['deploy'] } },
    )
    const fields = new Map([['category' as const, readQuery('ops').query]])
    expect(idsOf(searchFor(index, 'deploy', { fields }))).toEqual(['ops/deploy', 'ops/zz'])
  })

  it.each([
    ['deploy*?', ['dep']],
    ['(deploy*.)', ['dep']],
    ['`deploy*`,', ['dep']],
    ['some/pa*', ['dep']],
    ['*ome/path/he*', ['dep']],
    ['path/some*', []],
    ['read_*', ['snake']],
    ['*_file', ['snake']],
    ['file_*', []],
    ['検索*', ['cjk']],
    ['索検*', []],
    ['some/*', ['dep']],
  ])('of the pattern %s are %j: marks at its ends mean nothing, others separate words', (query, ids) => {
    fill(
      'project',
      { id: 'dep', fields: { content: ['deployment of some/path/here'] } },
      { id: 'snake', fields: { content: ['read_file once'] } },
      { id: 'cjk', fields: { content: ['検索エンジン'] } },
    )
    expect(idsOf(searchFor(index, query))).toEqual(ids)
  })

  it('has an item of exactly this id first, then those of exactly this name, however it is spelt', () => {
    fill(
      'project',
      { id: 'aaa', fields: { content: ['read file '.repeat(50)], title: ['read file'] } },
      { id: 'x/readFile', fields: { content: ['nothing'] } },
      { id: 'y/read_file', fields: { content: ['nothing'] } },
    )
    expect(idsOf(searchFor(index, 'y/read_file'))[0]).toBe('y/read_file')
    expect(idsOf(searchFor(index, 'read file'))).toEqual(['x/readFile', 'y/read_file', 'aaa'])
    expect(searchFor(index, 'read file').rows[0]!.score).toBe(1)
  })

  it('breaks ties by space and then by id, and equal text scores equal in every space', () => {
    const same = { fields: { content: ['deploy the web server'] } }
    fill(
      'system',
      { id: 'b', ...same },
      { id: 'a', ...same },
      { id: 'other', fields: { content: ['words words'] } },
    )
    fill('user', { id: 'c', ...same })
    fill('project', { id: 'd', ...same })
    const { rows } = searchFor(index, 'deploy')
    expect(rows.map(row => `${row.space} ${row.id}`)).toEqual(['project d', 'user c', 'system a', 'system b'])
    expect(new Set(rows.map(row => row.score)).size).toBe(1)
  })

  it('does not depend on which spaces are shown', () => {
    fill('project', { id: 'a', fields: { content: ['deploy web'] } })
    fill(
      'user',
      { id: 'b', fields: { content: ['deploy'] } },
      { id: 'c', fields: { content: ['deploy deploy'] } },
    )
    const all = searchFor(index, 'deploy').rows.find(row => row.id === 'a')
    const alone = searchFor(index, 'deploy', { spaces: ['project'] })
    expect(alone.rows).toEqual([all])
    expect(alone.total).toBe(1)
  })

  it('has the scores of a fresh index when another space, or the weights, have changed between searches', async () => {
    const drafts: readonly Draft[] = [
      { id: 'a', fields: { title: ['deploy'], content: ['deploy the web server'] } },
      { id: 'b', fields: { content: ['deploy deploy the cluster'] } },
      { id: 'c', fields: { title: ['cluster'], content: ['all about deploy'] } },
    ]
    const long = { id: 'long', fields: { title: ['one two three'], content: ['words '.repeat(200)] } }
    const weights = new Map(ITEM_TYPES.map(type => [type, SEARCH_FIELDS.map((_, field) => 1 + (field % 3))]))
    const scores = (changes: Partial<SearchRequest> = {}) =>
      searchFor(index, 'deploy cluster', changes).rows.map(row => `${row.id} ${row.score}`)
    fill('project', ...drafts)
    const first = scores()
    const reweighted = scores({ weights })
    fill('user', long)
    const later = [scores(), scores({ weights }), scores()]

    index.close()
    index = await openInMemory()
    fill('project', ...drafts)
    expect(scores({ weights })).toEqual(reweighted)
    index.close()
    index = await openInMemory()
    fill('user', long)
    fill('project', ...drafts)
    expect(scores()).toEqual(later[0])
    expect(scores({ weights })).toEqual(later[1])
    expect(later[2]).toEqual(later[0])
    expect(new Set([first, reweighted, ...later].map(String)).size).toBe(4)
  })

  it('has the best of many first, wherever they lie, and those with all words before any other', () => {
    const many = Array.from({ length: 300 }, (_, n) => ({
      id: `many${n}`,
      fields: { content: [`${'deploy '.repeat(1 + ((n * 7) % 31))}${'filler '.repeat((n * 13) % 40)}`] },
    }))
    fill('project', ...many.slice(0, 150), { id: 'both', fields: { content: ['cluster', 'deploy'] } })
    fill('user', ...many.slice(150))
    const all = searchFor(index, 'deploy cluster', { limit: 1000 })
    expect(all.total).toBe(301)
    expect(all.rows[0]!.id).toBe('both')
    const scores = all.rows.slice(1).map(row => row.score)
    expect(scores).toEqual([...scores].sort((a, b) => b - a))
    for (const [offset, limit] of [
      [0, 1],
      [0, 10],
      [7, 50],
      [295, 10],
    ] as const) {
      const page = searchFor(index, 'deploy cluster', { offset, limit })
      expect(page.rows).toEqual(all.rows.slice(offset, offset + limit))
      expect(page.total).toBe(301)
    }
  })

  it('prefers titles to bodies, and rare words to common ones', () => {
    fill(
      'project',
      { id: 'a', fields: { content: ['about kubernetes and much else'] } },
      { id: 'b', fields: { title: ['kubernetes'] } },
      { id: 'c', fields: { content: ['common common common'] } },
      { id: 'd', fields: { content: ['common'] } },
    )
    expect(idsOf(searchFor(index, 'kubernetes'))).toEqual(['b', 'a'])
    expect(idsOf(searchFor(index, 'common kubernetes', { match: 'any' }))[0]).toBe('b')
  })

  it('follows the weights of the extractor', () => {
    fill('project', { id: 'a', fields: { content: ['word'] } }, { id: 'b', fields: { title: ['word'] } })
    const weights = new Map([['knowledge' as const, [0.1, 3, 2, 1.5, 9, 1, 1.5, 2]]])
    expect(idsOf(searchFor(index, 'word', { weights }))).toEqual(['a', 'b'])
  })

  it('is by date, newest first, or by name when asked', () => {
    fill(
      'project',
      { id: 'x/b', date: 2, fields: { content: ['word'] } },
      { id: 'y/a', date: 3, fields: { content: ['word'] } },
    )
    fill('user', { id: 'z/c', date: 9, fields: { content: ['word'] } })
    expect(idsOf(searchFor(index, 'word', { sortBy: 'date' }))).toEqual(['z/c', 'y/a', 'x/b'])
    expect(idsOf(searchFor(index, 'word', { sortBy: 'name' }))).toEqual(['y/a', 'x/b', 'z/c'])
  })
})

describe('a question', () => {
  beforeEach(() => {
    fill(
      'project',
      { id: 'weather', fields: { description: ['Forecast of the weather for a city'] } },
      { id: 'stocks', fields: { description: ['Prices of shares'] } },
    )
  })

  it('is answered by its telling words', () => {
    const { rows } = searchFor(index, 'what will the weather be like in Berlin tomorrow')
    expect(rows.map(row => [row.id, row.partial])).toEqual([['weather', true]])
  })

  it('is not answered by words such as `what` when the telling ones occur nowhere', () => {
    expect(idsOf(searchFor(index, 'what is the frobnicator'))).toEqual([])
    expect(idsOf(searchFor(index, 'what is the'))).toEqual(['weather'])
  })

  it.each(['sign off', 'off sign', 'how do I sign off'])(
    'has what has all words of `%s` first, and says of the rest that it is partial',
    question => {
      fill(
        'project',
        { id: 'both', fields: { content: ['sign off the sheet'] } },
        { id: 'one', fields: { content: ['sign sign sign'] } },
      )
      const { rows } = searchFor(index, question)
      expect(rows.map(row => [row.id, row.partial])).toEqual([
        ['both', false],
        ['one', true],
      ])
    },
  )

  it('takes a quoted part whole, when anything else of it is found', () => {
    fill(
      'project',
      { id: 'filing', fields: { content: ['filing cabinets in a system'] } },
      { id: 'other', fields: { content: ['cleanup only'] } },
    )
    expect(idsOf(searchFor(index, '"file system" cleanup'))).toEqual(['other'])
    expect(idsOf(searchFor(index, '"system file" nowhere'))).toEqual(['filing'])
  })

  it('with a quoted part is answered by the words of that part too', () => {
    expect(idsOf(searchFor(index, 'tell me "weather in Paris" please'))).toEqual(['weather'])
  })

  it('that has all words of an item is no partial match', () => {
    expect(searchFor(index, 'the weather forecast').rows[0]).toMatchObject({ id: 'weather', partial: false })
  })

  it('without any known word gets the nearest words', () => {
    const answer = searchFor(index, 'wether')
    expect(answer.rows).toEqual([])
    expect(answer.unknown).toEqual([{ word: 'wether', nearest: ['weather'] }])
  })
})

describe('a result', () => {
  it('says which words matched in which field, and shows them', () => {
    fill('project', {
      id: 'a',
      fields: {
        title: ['Running jobs'],
        content: [`${'filler '.repeat(80)}it runs the job ${'filler '.repeat(80)}`],
      },
    })
    const [row] = searchFor(index, 'run job').rows
    expect(row).toMatchObject({ matched: { title: ['running', 'jobs'], content: ['runs', 'job'] } })
    expect(row!.preview).toContain('it runs the job')
  })

  it('never shows hidden characters', () => {
    fill('project', {
      id: 'a',
      fields: {
        title: ['ti\u202etle'],
        description: ['de\u200bsc'],
        content: ['bo\u0007dy'],
        tags: ['t\u200dag'],
      },
    })
    expect(searchFor(index, 'a').rows[0]).toMatchObject({
      title: 'ti\\u{202e}tle',
      description: 'de\\u{200b}sc',
      preview: 'bo\\u{7}dy',
      tags: ['t\\u{200d}ag'],
    })
  })

  it('has no preview that repeats its description', () => {
    fill('project', { id: 'a', fields: { description: ['What it does.'], content: ['what it DOES'] } })
    fill('project', { id: 'b', fields: { description: ['what it does'] } })
    expect(searchFor(index, 'does').rows.map(row => row.preview)).toEqual(['', ''])
  })
})

describe('a restriction', () => {
  beforeEach(() => {
    fill(
      'project',
      {
        id: 'rye/core/a',
        type: 'tool',
        version: '1.2.0',
        fields: { content: ['word'], category: ['rye/core'], tags: ['web', 'http'] },
      },
      {
        id: 'rye/core-extra/b',
        type: 'tool',
        version: '0.9.0',
        fields: { content: ['word'], category: ['rye/core-extra'] },
      },
      { id: 'rye/core', type: 'directive', fields: { content: ['word'] }, date: Date.UTC(2024, 5, 1) },
    )
  })

  it('to a scope keeps to namespaces', () => {
    expect(idsOf(searchFor(index, 'word', { scope: parseScope('tool.rye.core.*') }))).toEqual(['rye/core/a'])
    expect(idsOf(searchFor(index, '*', { scope: parseScope('directive') }))).toEqual(['rye/core'])
    expect(idsOf(searchFor(index, '*', { scope: parseScope('*.rye.core') })).sort()).toEqual([
      'rye/core',
      'rye/core/a',
    ])
  })

  it('by filters gives exact totals', () => {
    const filtered = (request: Parameters<typeof readFilters>[0]) =>
      searchFor(index, 'word', { filters: readFilters(request) })
    expect(idsOf(filtered({ filters: { version: '>=1.0' } }))).toEqual(['rye/core/a'])
    expect(filtered({ tags: ['http', 'other'] })).toMatchObject({ total: 1 })
    expect(idsOf(filtered({ date_from: '2024-01-01', date_to: '2024-12-31' }))).toEqual(['rye/core'])
    expect(filtered({ filters: { constructor: 'x', __proto__: 'y' } }).total).toBe(0)
    for (const name of ['a"b', "a'b", "x') --", 'a.b', '$', '', 'a\\b', '[0]', 'a\u0000b']) {
      expect(filtered({ filters: { [name]: 'x' } }).total).toBe(0)
      expect(filtered({ filters: { [name]: '!x' } }).total).toBe(3)
    }
  })

  it('by fields looks into these fields only, at words as written', () => {
    expect(idsOf(searchFor(index, '*', { fields: readFields({ category: 'extra' }) }))).toEqual([
      'rye/core-extra/b',
    ])
    expect(searchFor(index, '*', { fields: readFields({ content: 'words' }) }).total).toBe(0)
  })
})

describe('hostile input', () => {
  beforeEach(() => {
    const words = Array.from({ length: 3000 }, (_, number) => `word${number.toString(36)}`)
    fill(
      'project',
      ...Array.from({ length: 40 }, (_, number) => ({
        id: `item${number}`,
        fields: { content: [words.slice(number * 60).join(' ')] },
      })),
    )
  })

  it.each([
    '***a*b*c***',
    '*a*b*c*d*e*f*g*h*',
    `${'*w'.repeat(60)}*`,
    '"word1 OR word2" NEAR(word3, 5) title:word4',
    'word1 AND NOT word2 AND (word3 OR "word4 word5")',
    `'; DROP TABLE item; --`,
    'a\u0000b \ud800 \udfff \u202e',
    'word* *word *ord*',
    Array.from({ length: 120 }, (_, number) => `w*${number % 10}`).join(' '),
  ])('%s is answered', text => {
    expect(() => searchFor(index, text)).not.toThrow()
    expect(searchFor(index, '*').total).toBe(40)
  })

  it('reports a pattern that stands for too many words', () => {
    expect(searchFor(index, 'w*').capped).toEqual(['w*'])
    expect(searchFor(index, '*o*').capped).toEqual(['*o*'])
    expect(searchFor(index, 'word1').capped).toEqual([])
  })

  it('of a megabyte is read as a question', () => {
    const text = 'word1 unknown '.repeat(80_000)
    expect(index.search(requestOf('', { query: readQuery(text).query, text })).total).toBeGreaterThan(0)
  })

  it('of wild pages and limits gives an empty page', () => {
    expect(searchFor(index, '*', { offset: 1_000_000_000, limit: 10 })).toMatchObject({ rows: [], total: 40 })
    expect(searchFor(index, '*', { limit: 0 })).toMatchObject({ rows: [], total: 40 })
    expect(searchFor(index, '*', { limit: 1_000_000_000 }).rows).toHaveLength(40)
  })

  it('as content of an item is only text', () => {
    fill('project', {
      id: 'evil',
      fields: { content: ['\u0000', '"; DELETE FROM item', '\ud800'], title: ['a\nb\u2028c'] },
      metadata: JSON.parse('{"__proto__": "x"}'),
    })
    expect(searchFor(index, 'DELETE').rows.map(row => row.title)).toEqual(['a\\u{a}b\\u{2028}c'])
  })
})
