// A pattern means the same to `list`, `verify` and `sign`.
import { describe, expect, it } from 'vitest'
import { type Answer, knowledge, scratch, tool } from '../../workspace/scratch.ts'

const FILES = {
  '.ai/tools/a/one.py': tool('a/one'),
  '.ai/knowledge/a/one.md': knowledge('a/one'),
  'user:.ai/tools/a/two.py': tool('a/two'),
}

type Scratch = Awaited<ReturnType<typeof scratch>>
const named = ({ items }: Answer) =>
  items.map(({ item_type, item_id }: Answer) => `${item_type}:${item_id}`).sort()

const ASK: Readonly<Record<string, (made: Scratch, pattern: string) => Promise<Answer>>> = {
  list: (made, pattern) => made.run('list', { pattern }),
  verify: (made, target) => made.run('verify', { targets: [target] }),
  sign: (made, item_id) => made.run('sign', { item_id }),
}

describe.each(Object.keys(ASK))('a pattern of `%s`', action => {
  it.each([
    ['tool:a/*@project', ['tool:a/one']],
    ['a/*@project', ['knowledge:a/one', 'tool:a/one']],
    ['tool:*@user', ['tool:a/two']],
    ['*@user', ['tool:a/two']],
  ])('%s names type and space', async (pattern, expected) => {
    const made = await scratch(FILES)
    const answer = await ASK[action]!(made, pattern)
    if (action === 'sign') expect(answer).toMatchObject({ failed: [], total: expected.length })
    else expect(named(answer)).toEqual(expected)
  })

  it.each([
    ['tol:*', /unknown item type `tol`: .*\btool\b/],
    ['*@usr', /unknown space `usr`: expected one of project, user, system/],
    ['@user', /expected an id or a pattern, got `@user`/],
    ['tool:', /expected an id or a pattern, got `tool:`/],
  ])('%s is refused', async (pattern, error) => {
    const made = await scratch(FILES)
    expect(await ASK[action]!(made, pattern)).toMatchObject({
      code: 'INVALID_ID',
      error: expect.stringMatching(error),
    })
  })
})

it('a pattern contradicts no flag', async () => {
  const made = await scratch(FILES)
  for (const answer of [
    await made.run('list', { pattern: '*@user', source: 'project' }),
    await made.run('verify', { targets: ['tool:a/*'], item_type: 'knowledge' }),
    await made.run('sign', { item_id: '*@user', source: 'project' }),
  ])
    expect(answer).toMatchObject({ code: 'INVALID_INPUT', error: expect.stringContaining('contradict') })
  expect(await made.run('sign', { item_id: '*@system' })).toMatchObject({ code: 'SPACE_IMMUTABLE' })
})
