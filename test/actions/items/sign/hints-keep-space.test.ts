// A printed command about an item of the user space means that item, not one of the project with the same id.
import { expect, it } from 'vitest'
import { generateKey } from '../../../../src/trust/key.ts'
import { sign } from '../../../../src/trust/sign.ts'
import { type Scratch, scratch, tool } from '../../../workspace/scratch.ts'

async function both(text: string): Promise<Scratch> {
  return scratch({ '.ai/tools/a.py': tool('a'), 'user:.ai/tools/a.py': text })
}

function signedByStranger(): string {
  const item = {
    type: 'tool',
    id: 'a',
    extension: '.py',
    bytes: Buffer.from(tool('a')),
    format: { prefix: '#', suffix: '', afterShebang: true, detached: false },
  } as const
  const { bytes } = sign(item, generateKey(), { timestamp: '2026-01-01T00:00:00Z', format: 'v2' })
  return Buffer.from(bytes).toString('utf8')
}

it.each([
  ['what a stranger signed', signedByStranger(), 'rye sign tool:a --source user --take-over'],
  [
    'two signatures of a merge',
    `<<<<<<< HEAD\n${signedByStranger().split('\n')[0]}\n=======\n${signedByStranger().split('\n')[0]}\n>>>>>>> other\n${tool('a')}`,
    'rye sign tool:a --source user --resolve',
  ],
])('%s', async (_, text, command) => {
  const made = await both(text)
  for (const input of [{ item_id: 'tool:a@user' }, { item_id: 'tool:a', source: 'user' }])
    expect((await made.run('sign', input)).hint).toContain(command)
})

it('what an agent must leave to a person', async () => {
  const made = await both(tool('a'))
  made.write('user:.ai/config/rye.toml', '[mcp]\nsign = "deny"\n')
  const answers = [
    await made.run('sign', { item_id: 'a', item_type: 'tool', location: 'user' }, 'agent'),
    await made.run('sign', { item_id: 'tool:a@user' }, 'agent'),
  ]
  expect(answers.map(({ hint }) => hint)).toEqual([
    'a person can run: rye sign a --type tool --source user',
    'a person can run: rye sign tool:a@user',
  ])
})

it('a name that is nearly right', async () => {
  const made = await both(tool('a'))
  made.write('user:.ai/tools/deploy.py', tool('deploy'))
  expect((await made.run('load', { item_id: 'tool:deplo@user' })).hint).toBe(
    'did you mean `tool:deploy@user`?',
  )
  expect((await made.run('load', { item_id: 'deplo@project' })).hint).toBe('did you mean `deploy@user`?')
  expect((await made.run('load', { item_id: 'tool:deplo' })).hint).toBe('did you mean `deploy`?')
})
