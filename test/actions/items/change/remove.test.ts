import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { directive, knowledge, scratch, skill, tool } from '../../../workspace/scratch.ts'

describe('rye rm', () => {
  it('removes an item, keeps its bytes elsewhere, and says where', async () => {
    const made = await scratch({ '.ai/tools/ops/db/backup.py': tool('ops/db/backup') })
    await made.sign('ops/db/backup')
    const bytes = made.read('.ai/tools/ops/db/backup.py')
    const answer = await made.run('rm', { item_id: 'tool:ops/db/backup' })
    expect(answer).toEqual({
      status: 'removed',
      item_type: 'tool',
      item_id: 'ops/db/backup',
      space: 'project',
      path: made.path('.ai/tools/ops/db/backup.py'),
      kept_at: expect.stringContaining(made.path('user:.ai/state')),
      referred_by: [],
      helpers: [],
      uncovers: [],
    })
    expect(readFileSync(join(answer.kept_at, 'backup.py'), 'utf8')).toBe(bytes)
    expect(readdirSync(made.path('.ai/tools'))).toEqual([])
    expect(await made.run('show', { item_id: 'ops/db/backup' })).toMatchObject({ code: 'ITEM_NOT_FOUND' })
  })

  it('removes a skill with its folder, and what lies apart with its file', async () => {
    const call = JSON.stringify({
      version: '1.0.0',
      tool_type: 'http',
      executor_id: 'rye/core/runtimes/http/http',
      category: '',
      description: 'Calls',
    })
    const made = await scratch({
      '.ai/skills/pdf/SKILL.md': skill('pdf'),
      '.ai/skills/pdf/scripts/deep/x.py': 'print(1)\n',
      '.ai/tools/call.json': call,
    })
    await made.sign('*')
    const { kept_at } = await made.run('rm', { item_id: 'skill:pdf' })
    expect(readdirSync(made.path('.ai/skills'))).toEqual([])
    expect(readFileSync(join(kept_at, 'scripts/deep/x.py'), 'utf8')).toBe('print(1)\n')
    expect(existsSync(join(kept_at, 'SKILL.sig'))).toBe(true)
    await made.run('rm', { item_id: 'tool:call' })
    expect(readdirSync(made.path('.ai/tools'))).toEqual([])
  })

  it('names helpers, which stay, and who else uses them', async () => {
    const made = await scratch({
      '.ai/tools/ops/a.py': `from _lib import x\nfrom _shared import y\n${tool('ops/a')}`,
      '.ai/tools/ops/b.py': `import _shared\n${tool('ops/b')}`,
      '.ai/tools/ops/_lib.py': 'x = 1\n',
      '.ai/tools/ops/_shared.py': 'y = 1\n',
      '.ai/tools/ops/_library.py': 'z = 1\n',
    })
    const { helpers } = await made.run('rm', { item_id: 'ops/a' })
    expect(helpers).toEqual([
      { path: made.path('.ai/tools/ops/_lib.py'), also_used_by: [] },
      { path: made.path('.ai/tools/ops/_shared.py'), also_used_by: ['b.py'] },
    ])
    expect(existsSync(made.path('.ai/tools/ops/_lib.py'))).toBe(true)
  })

  it.each(['rm', 'mv'] as const)('`rye %s` is not held up by a large file beside it', async name => {
    const made = await scratch({
      '.ai/tools/ops/a.py': `from _lib import x\n${tool('ops/a')}`,
      '.ai/tools/ops/_lib.py': 'x = 1\n',
      '.ai/tools/ops/large.bin': 'x'.repeat(9_000_000),
    })
    await made.run(name, name === 'rm' ? { item_id: 'ops/a' } : { item_id: 'ops/a', to: 'team/a' })
    expect(existsSync(made.path('.ai/tools/ops/a.py'))).toBe(false)
    expect(existsSync(made.path('.ai/tools/team/a.py'))).toBe(name === 'mv')
  })

  it('does not remove what others mention, unless told to', async () => {
    const made = await scratch({
      '.ai/tools/ops/deploy.py': tool('ops/deploy'),
      '.ai/tools/ops/deploy-all.py': tool('ops/deploy-all'),
      '.ai/knowledge/guide.md': knowledge('guide', { body: 'Run tool:ops/deploy at night.' }),
      'user:.ai/knowledge/other.md': knowledge('other', { body: 'See ops/deploy-all, ops/deployment.' }),
    })
    const refused = await made.run('rm', { item_id: 'ops/deploy' })
    expect(refused).toMatchObject({
      code: 'POLICY_DENIED',
      error: 'tool:ops/deploy is not removed: 1 item mentions it',
      referred_by: [{ item: 'knowledge:guide@project' }],
    })
    expect(existsSync(made.path('.ai/tools/ops/deploy.py'))).toBe(true)
    expect(await made.run('rm', { item_id: 'ops/deploy', yes: true })).toMatchObject({ status: 'removed' })
  })

  it('says which item of a lower space is used from then on', async () => {
    const made = await scratch({
      '.ai/tools/greet.py': tool('greet'),
      'user:.ai/tools/greet.py': tool('greet'),
    })
    expect(await made.run('rm', { item_id: 'greet' })).toMatchObject({ space: 'project', uncovers: ['user'] })
    expect(await made.run('rm', { item_id: 'greet' })).toMatchObject({ space: 'user', uncovers: [] })
  })

  it('refuses system items and ids that are none', async () => {
    const made = await scratch()
    expect(await made.run('rm', { item_id: 'tool:rye/bash' })).toMatchObject({ code: 'SPACE_IMMUTABLE' })
    expect(await made.run('rm', { item_id: '../../etc/passwd' })).toMatchObject({ code: 'INVALID_ID' })
    expect(await made.run('rm', { item_id: 'nothing' })).toMatchObject({ code: 'ITEM_NOT_FOUND' })
  })

  it.each([
    ['tool', 'deploy', 'we deploy on Monday', false],
    ['tool', 'deploy', 'executor_id: deploy', true],
    ['tool', 'deploy', 'use `deploy`', true],
    ['tool', 'ops/deploy', 'execute ops.deploy.', true],
    ['tool', 'ops/deploy', 'see team/ops/deploy', false],
    ['tool', 'ops/deploy', 'ops/deploy.py', false],
    ['directive', 'ops/ship', '<directive>ops/ship</directive>', true],
  ])('%s %s and the text `%s`: %s', async (type, id, body, expected) => {
    const file = type === 'tool' ? `.ai/tools/${id}.py` : `.ai/directives/${id}.md`
    const made = await scratch({
      [file]: type === 'tool' ? tool(id) : directive(id),
      '.ai/knowledge/text.md': knowledge('text', { body }),
    })
    const answer = await made.run('rm', { item_id: `${type}:${id}` })
    expect(answer.code === 'POLICY_DENIED').toBe(expected)
  })
})
