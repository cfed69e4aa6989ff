// The order of results: by score, name, space and date; and pages are parts of one list.
import { describe, expect, it } from 'vitest'
import { ITEM_TYPES } from '../../src/item/item-type.ts'
import { SEARCH_FIELDS } from '../../src/query/fields.ts'
import { readQuery } from '../../src/query/read-query.ts'
import type { SearchRequest } from '../../src/search/answer/search-request.ts'
import { useMemoryLibrary } from './memory-library.ts'
import { type Draft, idsOf } from './sqlite/library.ts'

const library = useMemoryLibrary()

describe('the order of results', () => {
  it('has a word of the title before a body that repeats it in every other line', () => {
    library.fill(
      'project',
      { id: 'code', fields: { content: ['start = find(text) end '.repeat(40)] } },
      { id: 'guide', fields: { title: ['start here now'], content: ['first steps '.repeat(20)] } },
      { id: 'other', fields: { content: ['end of text '.repeat(40)] } },
    )
    expect(idsOf(library.search('start'))).toEqual(['guide', 'code'])
  })

  it.each(['start stop stop', 'stopped start stops'])(
    'has the word first that `%s` says twice, however it is inflected',
    query => {
      library.fill(
        'project',
        { id: 'a', fields: { content: ['start of it'] } },
        { id: 'b', fields: { content: ['stop of it'] } },
        { id: 'c', fields: { content: ['neither of both'] } },
      )
      expect(idsOf(library.search(query))[0]).toBe('b')
    },
  )

  it('has the name as it is spelt before other spellings of it, in whatever space', () => {
    library.fill('project', { id: 'a/readFile', fields: {} }, { id: 'c/read_file', fields: {} })
    library.fill('user', { id: 'b/read_file', fields: {} })
    expect(idsOf(library.search('read_file'))).toEqual(['c/read_file', 'b/read_file', 'a/readFile'])
    expect(idsOf(library.search('readFile'))[0]).toBe('a/readFile')
  })

  it('has the name first among those that a field allows, and lifts no restriction', () => {
    library.fill(
      'project',
      { id: 'ops/deploy', fields: { category: ['ops'], content: ['filler '.repeat(300)] } },
      { id: 'web/deploy', fields: { category: ['web'] } },
      { id: 'ops/zz', fields: { category: ['ops'], title: ['deploy deploy deploy'], content: ['deploy'] } },
    )
    const fields = new Map([['category' as const, readQuery('ops').query]])
    expect(idsOf(library.search('deploy', { fields }))).toEqual(['ops/deploy', 'ops/zz'])
  })

  it('has an item of exactly this id first, then those of exactly this name, however it is spelt', () => {
    library.fill(
      'project',
      { id: 'aaa', fields: { content: ['read file '.repeat(50)], title: ['read file'] } },
      { id: 'x/readFile', fields: { content: ['nothing'] } },
      { id: 'y/read_file', fields: { content: ['nothing'] } },
    )
    expect(idsOf(library.search('y/read_file'))[0]).toBe('y/read_file')
    expect(idsOf(library.search('read file'))).toEqual(['x/readFile', 'y/read_file', 'aaa'])
    expect(library.search('read file').rows[0]!.score).toBe(1)
  })

  it('breaks ties by space and then by id, and equal text scores equal in every space', () => {
    const same = { fields: { content: ['deploy the web server'] } }
    library.fill(
      'system',
      { id: 'b', ...same },
      { id: 'a', ...same },
      { id: 'other', fields: { content: ['words words'] } },
    )
    library.fill('user', { id: 'c', ...same })
    library.fill('project', { id: 'd', ...same })
    const { rows } = library.search('deploy')
    expect(rows.map(row => `${row.space} ${row.id}`)).toEqual(['project d', 'user c', 'system a', 'system b'])
    expect(new Set(rows.map(row => row.score)).size).toBe(1)
  })

  it('does not depend on which spaces are shown', () => {
    library.fill('project', { id: 'a', fields: { content: ['deploy web'] } })
    library.fill(
      'user',
      { id: 'b', fields: { content: ['deploy'] } },
      { id: 'c', fields: { content: ['deploy deploy'] } },
    )
    const all = library.search('deploy').rows.find(row => row.id === 'a')
    const alone = library.search('deploy', { spaces: ['project'] })
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
      library.search('deploy cluster', changes).rows.map(row => `${row.id} ${row.score}`)
    library.fill('project', ...drafts)
    const first = scores()
    const reweighted = scores({ weights })
    library.fill('user', long)
    const later = [scores(), scores({ weights }), scores()]

    await library.empty()
    library.fill('project', ...drafts)
    expect(scores({ weights })).toEqual(reweighted)
    await library.empty()
    library.fill('user', long)
    library.fill('project', ...drafts)
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
    library.fill('project', ...many.slice(0, 150), { id: 'both', fields: { content: ['cluster', 'deploy'] } })
    library.fill('user', ...many.slice(150))
    const all = library.search('deploy cluster', { limit: 1000 })
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
      const page = library.search('deploy cluster', { offset, limit })
      expect(page.rows).toEqual(all.rows.slice(offset, offset + limit))
      expect(page.total).toBe(301)
    }
  })

  it('prefers titles to bodies, and rare words to common ones', () => {
    library.fill(
      'project',
      { id: 'a', fields: { content: ['about kubernetes and much else'] } },
      { id: 'b', fields: { title: ['kubernetes'] } },
      { id: 'c', fields: { content: ['common common common'] } },
      { id: 'd', fields: { content: ['common'] } },
    )
    expect(idsOf(library.search('kubernetes'))).toEqual(['b', 'a'])
    expect(idsOf(library.search('common kubernetes', { match: 'any' }))[0]).toBe('b')
  })

  it('follows the weights of the extractor', () => {
    library.fill(
      'project',
      { id: 'a', fields: { content: ['word'] } },
      { id: 'b', fields: { title: ['word'] } },
    )
    const weights = new Map([['knowledge' as const, [0.1, 3, 2, 1.5, 9, 1, 1.5, 2]]])
    expect(idsOf(library.search('word', { weights }))).toEqual(['a', 'b'])
  })

  it('is by date, newest first, or by name when asked', () => {
    library.fill(
      'project',
      { id: 'x/b', date: 2, fields: { content: ['word'] } },
      { id: 'y/a', date: 3, fields: { content: ['word'] } },
    )
    library.fill('user', { id: 'z/c', date: 9, fields: { content: ['word'] } })
    expect(idsOf(library.search('word', { sortBy: 'date' }))).toEqual(['z/c', 'y/a', 'x/b'])
    expect(idsOf(library.search('word', { sortBy: 'name' }))).toEqual(['y/a', 'x/b', 'z/c'])
  })

  it('by date has items that state none last, as they are in no range of dates', () => {
    library.fill(
      'project',
      { id: 'b', fields: { content: ['word'] } },
      { id: 'a', fields: { content: ['word'] } },
    )
    library.fill('user', { id: 'old', date: -5, fields: { content: ['word'] } })
    expect(idsOf(library.search('word', { sortBy: 'date' }))).toEqual(['old', 'a', 'b'])
    const filters = { filters: [], dateFrom: -10, dateTo: undefined }
    expect(idsOf(library.search('word', { sortBy: 'date', filters }))).toEqual(['old'])
  })
})
