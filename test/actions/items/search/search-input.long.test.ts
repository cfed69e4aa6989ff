import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Scratch, scratch } from '../../../workspace/scratch.ts'
import { found, ids, SHIP } from './search-library.ts'

let ship: Scratch
beforeAll(async () => {
  ship = await scratch(SHIP, { key: false, shared: true })
  return ship.close
})

describe('input that is wrong', () => {
  it.each([
    [{ query: 'x', item_type: 'tol' }, 'INVALID_INPUT', 'did you mean `tool`?'],
    [{ query: 'x', source: 'space' }, 'INVALID_INPUT', 'project'],
    [{ query: 'x', sort_by: 'size' }, 'INVALID_INPUT', 'score, date, name'],
    [{ query: 'x', match: 'some' }, 'INVALID_INPUT', 'auto, all, any'],
    [{ query: 'x', scope: 'tols' }, 'SCOPE_SYNTAX', 'invalid scope'],
    [{ query: 'x', scope: 'tool.../etc' }, 'SCOPE_SYNTAX', 'invalid scope'],
    [{ query: 'x', scope: 'tool.a/../b' }, 'SCOPE_SYNTAX', 'invalid scope'],
    [{ query: 'x', scope: 'tool', item_type: 'skill' }, 'INVALID_INPUT', 'contradict'],
    [{ query: 'x', limit: -1 }, 'INVALID_INPUT', '`limit`'],
    [{ query: 'x', limit: 1e9 }, 'INVALID_INPUT', '`limit`'],
    [{ query: 'x', limit: 'ten' }, 'INVALID_INPUT', '`limit`'],
    [{ query: 'x', offset: -5 }, 'INVALID_INPUT', '`offset`'],
    [{ query: 'x', colour: 'red' }, 'INVALID_INPUT', 'unknown parameter `colour`'],
    [{ query: 'x', fields: { colour: 'red' } }, 'INVALID_INPUT', 'colour'],
    [{ query: 'x', filters: { a: {} } }, 'INVALID_INPUT', ''],
    [{ query: 'x', fuzzy: 99 }, 'INVALID_INPUT', 'fuzzy'],
    [{ query: 'x', fuzzy: { enabled: 'yes' } }, 'INVALID_INPUT', 'fuzzy'],
    [{ query: 'x', proximity: -1 }, 'INVALID_INPUT', 'proximity'],
    [{ query: 'x', date_from: 'yesterday' }, 'INVALID_INPUT', 'date_from'],
    [{ query: 'x', date_from: '2025-01-01', date_to: '2024-01-01' }, 'INVALID_INPUT', 'date_from'],
    [{ query: 7 }, 'INVALID_INPUT', '`query`'],
    [{}, 'INVALID_INPUT', '`query` is required'],
    [{ query: 'x', project_path: 'relative' }, 'PROJECT_NOT_FOUND', 'absolute'],
    [{ query: 'x', project_path: '/no/such/place' }, 'PROJECT_NOT_FOUND', 'no directory'],
    [{ query: 'x', project_path: '/bad\0path' }, 'PROJECT_NOT_FOUND', 'absolute'],
    [{ query: '(a' }, 'QUERY_SYNTAX', 'offset'],
    [{ query: 'a AND' }, 'QUERY_SYNTAX', 'offset'],
    [{ query: '"open' }, 'QUERY_SYNTAX', 'offset'],
    [{ query: '('.repeat(1000) }, 'QUERY_SYNTAX', ''],
  ])('%j', async (input, code, says) => {
    const answer = await ship.run('search', input)
    expect(answer).toMatchObject({ status: 'error', code })
    expect(`${answer.error} ${answer.hint ?? ''}`).toContain(says)
  })

  it('says where a query slips', async () => {
    expect(await ship.run('search', { query: 'a AND )' })).toMatchObject({ code: 'QUERY_SYNTAX', offset: 6 })
  })

  it('reads a question that does not parse as plain words, and says so', async () => {
    const answer = await ship.run('search', { query: 'why did (the last deploy fail' })
    expect(ids(answer)).toContain('ops/deploy')
    expect(answer.warning).toContain('does not parse')
  })

  it('refuses a project path that is a file, and follows one that is a link', async () => {
    const file = ship.write('a-file', '')
    expect(await ship.run('search', { query: 'x', project_path: file })).toMatchObject({
      code: 'PROJECT_NOT_FOUND',
    })
    const link = join(ship.root, 'link')
    symlinkSync(ship.project, link)
    expect(ids(await ship.run('search', { query: 'flour', project_path: link }))).toEqual(['kitchen/bread'])
  })

  it.each([
    ['a megabyte', 'deploy '.repeat(150_000)],
    ['ten thousand terms', Array.from({ length: 10_000 }, (_, index) => `term${index}`).join(' ')],
    [
      'ten thousand terms with operators',
      Array.from({ length: 10_000 }, (_, index) => `t${index}`).join(' OR '),
    ],
    ['a thousand groups around words', `${'('.repeat(1000)}a b c d e f${')'.repeat(1000)}`],
    ['a star', '*'],
    ['many stars', '***a*b*c***'],
    ['a NUL', 'deploy\0cluster'],
    ['lone surrogates', '\ud800 deploy \udfff'],
    ['engine syntax in quotes', '"deploy\' OR 1=1 --" NEAR(a b) title:x ^y {z}'],
    ['engine columns', 'title : deploy AND rowid : 1'],
    ['an empty query', ''],
    ['blank', ' \t\n '],
    ['only marks', '!!! ??? ...'],
    ['stop words only', 'what is the'],
  ])('%s gets an answer or a clear error, and the next search works', async (_title, query) => {
    for (const caller of ['person', 'agent'] as const) {
      const answer = await ship.run('search', { query, source: 'project' }, caller)
      expect(answer.code === 'QUERY_SYNTAX' || Array.isArray(answer.results)).toBe(true)
      expect(await found(ship, 'flour')).toEqual(['kitchen/bread'])
    }
  })

  it('gives a hint when nothing fits', async () => {
    expect(await ship.run('search', { query: 'rollbak', source: 'project' })).toMatchObject({
      results: [],
      total: 0,
      hint: expect.stringContaining('near: `rollback`'),
    })
    expect(await ship.run('search', { query: 'flour', item_type: 'tool' })).toMatchObject({
      total: 0,
      hint: '1 found without type, scope and source',
    })
    for (const [condition, hint] of [
      [{ filters: { author: 'nobody' } }, '1 found without filters'],
      [{ category: 'nowhere' }, '1 found without filters'],
      [{ date_from: '2999-01-01' }, '1 found without filters'],
      [{ fields: { title: 'zzzzz' } }, '1 found without fields'],
      [{ item_type: 'tool', tags: ['none'] }, '1 found without type, scope and source, filters'],
    ] as const)
      expect(await ship.run('search', { query: 'flour', ...condition })).toMatchObject({ total: 0, hint })
    expect(await ship.run('search', { query: 'zzzzzzzzz' })).toMatchObject({
      hint: 'nothing in this library; it may be in a registry',
    })
  })
})
