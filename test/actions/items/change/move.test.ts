import { chmodSync, existsSync, readdirSync, statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { rewriteIdentity } from '../../../../src/actions/items/change/rewrite-identity.ts'
import { generateKey } from '../../../../src/trust/key.ts'
import { directive, knowledge, placeKey, scratch, skill, TEST_KEY, tool } from '../../../workspace/scratch.ts'

const CALL = JSON.stringify(
  {
    version: '1.0.0',
    tool_type: 'http',
    executor_id: 'rye/core/runtimes/http/http',
    category: 'ops',
    description: 'Calls',
  },
  null,
  2,
)
const YAML = `tool_id: ops/run
tool_type: yaml
version: "1.0.0"
executor_id: rye/core/runtimes/bash/bash
category: ops
description: Runs
config:
  command: echo
`
const SHELL = `#!/usr/bin/env bash
# __version__ = "1.0.0"
# __tool_type__ = "bash"
# __executor_id__ = "rye/core/runtimes/bash/bash"
# __category__ = "ops"
# __tool_description__ = "Runs"
echo '{}'
`

describe('rye mv', () => {
  it.each([
    ['tool:ops/deploy', 'team/ship', '.ai/tools/ops/deploy.py', tool('ops/deploy'), '.ai/tools/team/ship.py'],
    ['tool:ops/call', 'call', '.ai/tools/ops/call.json', CALL, '.ai/tools/call.json'],
    ['tool:ops/run', 'run', '.ai/tools/ops/run.yaml', YAML, '.ai/tools/run.yaml'],
    ['tool:ops/sh', 'team/sh', '.ai/tools/ops/sh.sh', SHELL, '.ai/tools/team/sh.sh'],
    [
      'directive:ship',
      'ops/ship_it',
      '.ai/directives/ship.md',
      directive('ship'),
      '.ai/directives/ops/ship_it.md',
    ],
    [
      'knowledge:a/notes',
      'b/texts',
      '.ai/knowledge/a/notes.md',
      knowledge('a/notes'),
      '.ai/knowledge/b/texts.md',
    ],
    ['skill:pdf', 'paper', '.ai/skills/pdf/SKILL.md', skill('pdf'), '.ai/skills/paper/SKILL.md'],
  ])('%s to %s is verified there, and nothing is left', async (item, to, from, text, path) => {
    const made = await scratch({ [from]: text })
    if (from.endsWith('.sh')) chmodSync(made.path(from), 0o755)
    await made.sign(item)
    const [type] = item.split(':')
    expect(await made.run('mv', { item_id: item, to })).toMatchObject({
      status: 'moved',
      item_type: type,
      item_id: to,
      from: `${item.slice(type!.length + 1)}@project`,
      path: made.path(path),
      signed: true,
      referred_by: [],
      warnings: [],
    })
    expect(await made.run('load', { item_id: `${type}:${to}` })).toMatchObject({
      trust: { status: 'verified', signer: TEST_KEY.fingerprint },
    })
    expect(existsSync(made.path(from))).toBe(false)
    if (from.endsWith('.json'))
      expect(readdirSync(made.path('.ai/tools'))).toEqual(['call.json', 'call.json.sig'])
    if (from.endsWith('.sh')) expect(statSync(made.path(path)).mode & 0o777).toBe(0o755)
  })

  it('goes to another space, and says who mentions the old id and what stays behind', async () => {
    const made = await scratch({
      '.ai/tools/ops/a.py': `from _lib import x\n${tool('ops/a')}`,
      '.ai/tools/ops/_lib.py': 'x = 1\n',
      '.ai/knowledge/guide.md': knowledge('guide', { body: 'first\n\nRun ops/a.' }),
    })
    await made.sign('tool:ops/a')
    expect(await made.run('mv', { item_id: 'ops/a', to: 'ops/b@user' })).toMatchObject({
      path: made.path('user:.ai/tools/ops/b.py'),
      referred_by: [{ item: 'knowledge:guide@project', line: expect.any(Number) }],
      warnings: [`it uses \`${made.path('.ai/tools/ops/_lib.py')}\`, which stays where it is`],
    })
  })

  it('says whose place it takes, who takes its own, and what the old id means now', async () => {
    const made = await scratch({
      '.ai/tools/mine.py': tool('mine'),
      'user:.ai/tools/mine.py': tool('mine'),
    })
    await made.sign('tool:mine')
    expect(await made.run('mv', { item_id: 'mine', to: 'rye/bash' })).toMatchObject({
      warnings: [
        'it is used instead of `rye/bash` of the system space',
        '`mine` is now the item of the user space',
      ],
    })
    expect(await made.run('mv', { item_id: 'mine@user', to: 'rye/bash' })).toMatchObject({
      warnings: [
        '`rye/bash` of the project space is used instead of it',
        'it is used instead of `rye/bash` of the system space',
      ],
    })
  })

  it('leaves an unsigned item unsigned', async () => {
    const made = await scratch({ '.ai/tools/draft.py': 'unfinished\n' }, { key: false })
    expect(await made.run('mv', { item_id: 'draft', to: 'later/draft' })).toMatchObject({ signed: false })
    expect(made.read('.ai/tools/later/draft.py')).toBe('unfinished\n')
  })

  it('does not sign what another key signed, or what was changed since', async () => {
    const made = await scratch({ '.ai/tools/a.py': tool('a') })
    const other = generateKey()
    placeKey(made, other)
    await made.sign('a')
    placeKey(made, TEST_KEY)
    const before = made.read('.ai/tools/a.py')
    expect(await made.run('mv', { item_id: 'a', to: 'b' })).toMatchObject({ code: 'POLICY_DENIED' })
    expect(made.read('.ai/tools/a.py')).toBe(before)
    expect(existsSync(made.path('.ai/tools/b.py'))).toBe(false)
    expect(await made.run('mv', { item_id: 'a', to: 'b', take_over: true })).toMatchObject({ signed: true })
    made.write('.ai/tools/b.py', `${made.read('.ai/tools/b.py')}# more\n`)
    expect(await made.run('mv', { item_id: 'b', to: 'c' })).toMatchObject({ code: 'ITEM_TAMPERED' })
  })

  it.each([
    ['an id that is taken', 'taken', 'ITEM_EXISTS'],
    ['where it is', 'ops/a', 'INVALID_INPUT'],
    ['another type', 'knowledge:b', 'INVALID_INPUT'],
    ['the package', 'b@system', 'SPACE_IMMUTABLE'],
    ['a path', '../b', 'INVALID_ID'],
  ])('refuses %s, and changes nothing', async (_, to, code) => {
    const made = await scratch({ '.ai/tools/ops/a.py': tool('ops/a'), '.ai/tools/taken.py': tool('taken') })
    await made.sign('*')
    const before = made.read('.ai/tools/ops/a.py')
    expect(await made.run('mv', { item_id: 'ops/a', to })).toMatchObject({ code })
    expect(made.read('.ai/tools/ops/a.py')).toBe(before)
    expect(readdirSync(made.path('.ai/tools')).sort()).toEqual(['ops', 'taken.py'])
  })

  it.each([
    ['tool:call', '.ai/tools/call.json', CALL.replace('"ops"', '""'), '.ai/tools/b.json', {}],
    [
      ...['skill:pdf', '.ai/skills/pdf/SKILL.md', skill('pdf'), '.ai/skills/b/fill.py'],
      { '.ai/skills/pdf/fill.py': 'one\n', '.ai/skills/pdf/read.py': 'two\n' },
    ],
  ] as const)(
    'writes nothing of %s when one of its files is in the way',
    async (item, from, text, there, more) => {
      const made = await scratch({ [from]: text, ...more, [there]: 'another\n' })
      await made.sign(item)
      const files = () => readdirSync(made.project, { recursive: true }).sort()
      const before = files()
      expect(await made.run('mv', { item_id: item, to: 'b' })).toMatchObject({
        code: 'ITEM_EXISTS',
        error: expect.stringContaining(made.path(there)),
      })
      expect(files()).toEqual(before)
      expect(made.read(there)).toBe('another\n')
    },
  )

  it('refuses what would not be valid under the new id', async () => {
    const made = await scratch({ '.ai/directives/ship.md': directive('ship') })
    await made.sign('ship')
    expect(await made.run('mv', { item_id: 'ship', to: 'Ship-It' })).toMatchObject({
      code: 'INVALID_ID',
    })
    expect(readdirSync(made.path('.ai/directives'))).toEqual(['ship.md'])
  })

  it('finishes a move that was interrupted when both places had it', async () => {
    const made = await scratch({ '.ai/tools/a.py': tool('a') })
    await made.sign('a')
    const old = made.read('.ai/tools/a.py')
    await made.run('mv', { item_id: 'a', to: 'x/b' })
    made.write('.ai/tools/a.py', old)
    expect(await made.run('mv', { item_id: 'a', to: 'x/b' })).toMatchObject({ status: 'moved', signed: true })
    expect(readdirSync(made.path('.ai/tools'))).toEqual(['x'])
  })
})

it('changes what an item says of itself, and no other line', () => {
  const text = 'category: ops\nname: ops\nnested:\n  category: other\ntext: category ops\n'
  expect(rewriteIdentity(text, 'tool', 'ops/a', 'b')).toBe(text.replace('category: ops\n', 'category: ""\n'))
  expect(rewriteIdentity("x = {'category': 'ops'}\n", 'tool', 'ops/a', 'b')).toBe("x = {'category': 'ops'}\n")
})
