import { beforeAll, describe, expect, it } from 'vitest'
import { type Scratch, scratch, tool } from '../workspace/scratch.ts'

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

  it('with a query answers as search does', async () => {
    const request = { query: 'deploy', scope: 'tool', limit: 5 }
    expect(await made.run('fetch', request)).toEqual(await made.run('search', request))
    expect(await made.run('fetch', request)).toMatchObject({ scope: 'tool', space: 'all', limit: 5 })
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
