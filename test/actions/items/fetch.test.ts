import { beforeAll, describe, expect, it } from 'vitest'
import { type Scratch, scratch, tool } from '../../workspace/scratch.ts'

let made: Scratch
beforeAll(async () => {
  made = await scratch({ '.ai/tools/ops/deploy.py': tool('ops/deploy') }, { shared: true })
  await made.sign('ops/deploy')
  return made.close
})

describe('fetch', () => {
  it('with an id answers as load does', async () => {
    const request = { item_id: 'ops/deploy', item_type: 'tool', source: 'project' }
    expect(await made.run('fetch', request)).toEqual(await made.run('load', request))
    expect(await made.run('fetch', { item_id: 'ops/deploy' })).toMatchObject({
      mode: 'id',
      item_type: 'tool',
    })
    expect(await made.run('fetch', { item_id: 'ops/deploy', destination: 'user' })).toMatchObject({
      copied_to: 'user',
    })
  })

  it('reads pages of an item, and of a long output, as load does', async () => {
    const page = { item_id: 'ops/deploy', offset: 3, limit: 40 }
    expect(await made.run('fetch', page)).toEqual(await made.run('load', page))
    expect(await made.run('fetch', page)).toMatchObject({ next_offset: 43 })
    const { data } = await made.run('execute', {
      item_id: 'rye/bash',
      parameters: { command: 'seq 1 9000' },
    })
    const { id } = data as { id: string }
    for (const rest of [{}, { offset: 12_000 }, { offset: 20, limit: 7 }]) {
      const more = { item_id: id, ...rest }
      expect(await made.run('fetch', more)).toEqual(await made.run('load', more))
      expect(await made.run('fetch', more)).toMatchObject({ status: 'success', item_type: 'output' })
    }
  })

  it('with a query answers as search does', async () => {
    const request = { query: 'deploy', scope: 'tool', limit: 5 }
    expect(await made.run('fetch', request)).toEqual(await made.run('search', request))
    expect(await made.run('fetch', request)).toMatchObject({ scope: 'tool', space: 'all', limit: 5 })
  })

  it('searches all types, said or not, and a type within a scope of all', async () => {
    const request = { query: 'deploy', scope: '*', source: 'project' }
    const all = await made.run('fetch', request)
    expect(all.results).toHaveLength(1)
    expect((await made.run('fetch', { ...request, item_type: 'all' })).results).toEqual(all.results)
    expect((await made.run('fetch', { ...request, item_type: 'tool' })).results).toEqual(all.results)
    expect(await made.run('fetch', { ...request, item_type: 'skill' })).toMatchObject({ total: 0 })
  })

  it('takes defaults for what they are, whichever the mode', async () => {
    const read = { item_id: 'ops/deploy' }
    const none = { limit: 10, offset: 0, sort_by: 'score', match: 'auto', scope: null, fuzzy: false }
    const empty = { fields: {}, filters: {}, fuzzy: {}, proximity: {} }
    for (const defaults of [none, empty])
      expect(await made.run('fetch', { ...read, ...defaults })).toEqual(await made.run('load', read))
    const discover = { query: 'deploy', scope: 'tool' }
    expect(await made.run('fetch', { ...discover, ...empty, overwrite: false, version: null })).toEqual(
      await made.run('search', discover),
    )
  })

  it.each([
    [{ item_id: 'a', query: 'b', scope: 'tool' }, 'expected `item_id` or `query` with `scope`, got both'],
    [{}, 'expected `item_id` or `query` with `scope`, got neither'],
    [{ scope: 'tool' }, 'expected `item_id` or `query` with `scope`, got neither'],
    [{ query: 'x' }, '`scope` is required with `query`: such as `tool` or `tool.rye.core.*`'],
    [
      { item_id: 'ops/deploy', source: 'local' },
      '`source`: expected one of project, user, system, registry with an item_id, got `local`',
    ],
    [
      { item_id: 'ops/deploy', source: 'all' },
      '`source`: expected one of project, user, system, registry with an item_id, got `all`',
    ],
    [
      { query: 'x', scope: 'tool', destination: 'user' },
      '`destination` goes with an `item_id`, not with a `query`',
    ],
    [{ query: 'x', scope: 'tool', version: '1.0.0' }, '`version` goes with an `item_id`, not with a `query`'],
    [{ item_id: 'ops/deploy', scope: 'tool' }, '`scope` goes with a `query`, not with an `item_id`'],
    ...Object.entries({
      sort_by: 'name',
      match: 'any',
      category: 'ops',
      date_from: '2024-01-01',
      date_to: '2024-01-01',
      fields: { title: 'x' },
      filters: { author: 'x' },
      fuzzy: 1,
      proximity: { enabled: true },
    }).map(([name, value]): [object, string] => [
      { item_id: 'ops/deploy', [name]: value },
      `\`${name}\` goes with a \`query\`, not with an \`item_id\``,
    ]),
    [
      { query: 'x', scope: 'tool', overwrite: true },
      '`overwrite` goes with an `item_id`, not with a `query`',
    ],
    [
      { item_id: 'ops/deploy', item_type: 'all' },
      '`item_type`: expected one of directive, tool, knowledge, skill with an item_id, got `all`',
    ],
    [{ query: 'x', scope: 'tool', limit: 101 }, '`limit`: expected a whole number from 1 to 100, got `101`'],
    [
      { query: 'x', scope: 'tool', offset: 1_000_001 },
      '`offset`: expected a whole number from 0 to 1000000, got `1000001`',
    ],
    [{ item_id: 'ops/deploy', tags: ['a'] }, '`tags` goes with a `query`, not with an `item_id`'],
  ])('%j is refused', async (input, error) => {
    expect(await made.run('fetch', input)).toMatchObject({ status: 'error', code: 'INVALID_INPUT', error })
  })

  it.each(['project', 'user', 'system', 'local', 'all'])('searches %s', async source => {
    expect(await made.run('fetch', { query: '*', scope: 'tool', source })).toMatchObject({ space: source })
  })

  it('fails as load and search do', async () => {
    expect(await made.run('fetch', { item_id: 'ops/deplyo' })).toMatchObject({
      error: 'Item not found: ops/deplyo',
      hint: 'did you mean `ops/deploy`?',
    })
    expect(await made.run('fetch', { query: 'x', scope: 'nothing' })).toMatchObject({ code: 'SCOPE_SYNTAX' })
    expect(await made.run('fetch', { item_id: '../x' })).toMatchObject({ code: 'INVALID_ID' })
  })
})
