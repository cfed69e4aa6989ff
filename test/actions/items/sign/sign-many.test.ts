import { describe, expect, it } from 'vitest'
import { findAction } from '../../../../src/actions/table.ts'
import { generateKey } from '../../../../src/trust/key.ts'
import { knowledge, placeKey, scratch, skill, TEST_KEY, tool } from '../../../workspace/scratch.ts'

const CONFIG = 'version: "1.0.0"\ncategory: ""\n'

describe('signing what a pattern matches', () => {
  const files = {
    '.ai/tools/deploy.py': tool('deploy'),
    '.ai/tools/ops/deploy-all.py': tool('ops/deploy-all'),
    '.ai/tools/ops/db/deploy.py': tool('ops/db/deploy'),
    '.ai/tools/ops/db/backup.py': tool('ops/db/backup'),
    '.ai/knowledge/ops/deploy.md': knowledge('ops/deploy'),
    '.ai/tools/web/package.json': '{}',
    '.ai/tools/web/dist/bundle.js': 'x',
    'user:.ai/tools/deploy-mine.py': tool('deploy-mine'),
  }
  it.each([
    ['deploy*', { item_type: 'tool' }, ['deploy', 'ops/db/deploy', 'ops/deploy-all']],
    ['tool:deploy*', {}, ['deploy', 'ops/db/deploy', 'ops/deploy-all']],
    ['ops/*', { item_type: 'tool' }, ['ops/deploy-all']],
    ['ops/**', { item_type: 'tool' }, ['ops/db/backup', 'ops/db/deploy', 'ops/deploy-all']],
    ['ops/*', {}, ['ops/deploy', 'ops/deploy-all']],
    ['?eploy', {}, ['deploy', 'ops/db/deploy', 'ops/deploy']],
    ['*', { item_type: 'tool', category: 'ops/db' }, ['ops/db/backup', 'ops/db/deploy']],
    ['*', { item_type: 'tool' }, ['deploy', 'ops/db/backup', 'ops/db/deploy', 'ops/deploy-all']],
    ['*', { source: 'user' }, ['deploy-mine']],
  ])('%s with %j', async (pattern, input, expected) => {
    const made = await scratch(files)
    const answer = await made.run('sign', { item_id: pattern, ...input })
    expect(answer).toMatchObject({
      status: 'completed',
      failed: [],
      total: expected.length,
      summary: `Signed ${expected.length}/${expected.length} item${expected.length === 1 ? '' : 's'}`,
      unchanged: [],
    })
    expect([...answer.signed].sort()).toEqual([...expected].sort())
    const counts = await made.run('verify')
    expect(counts.counts.verified).toBeGreaterThanOrEqual(expected.length)
  })

  it('goes on after a failure, and reports each with its issues', async () => {
    const made = await scratch({ ...files, '.ai/tools/bad.py': '__category__ = ""\n' })
    const answer = await made.run('sign', { item_id: '*', item_type: 'tool' })
    expect(answer).toMatchObject({
      total: 5,
      summary: 'Signed 4/5 items, 1 failed',
      failed: [
        {
          item: 'bad',
          error: expect.stringContaining('Validation failed'),
          details: expect.arrayContaining(['Missing required field: version']),
        },
      ],
    })
    const { exitStatus } = await findAction('sign')!.load()
    expect(exitStatus!(answer)).toBe(1)
    expect(exitStatus!({ ...answer, failed: [] })).toBe(0)
  })

  it('signs settings by pattern', async () => {
    const made = await scratch({ '.ai/config/a.yaml': CONFIG, '.ai/config/b.yaml': CONFIG })
    expect(await made.run('sign', { item_id: 'config:*' })).toMatchObject({ signed: ['a', 'b'] })
  })

  it('works in a project below a folder called build', async () => {
    const made = await scratch()
    made.write('build/.ai/tools/a.py', tool('a'))
    expect(await made.run('sign', { item_id: '*', project_path: made.path('build') })).toMatchObject({
      signed: ['a'],
    })
  })

  it('an agent signs with the user’s key alone', async () => {
    const made = await scratch({ '.ai/tools/deploy.py': tool('deploy') })
    const other = generateKey()
    made.write('.ai/config/keys/signing/private_key.pem', other.privatePem)
    expect(await made.run('sign', { item_id: 'deploy' }, 'agent')).toMatchObject({
      signature: { pubkey_fp: TEST_KEY.fingerprint },
    })
    placeKey(made, other)
    made.write('.ai/tools/deploy.py', tool('deploy'))
    expect(await made.run('sign', { item_id: 'deploy' }, 'agent')).toMatchObject({
      signature: { pubkey_fp: other.fingerprint },
    })
  })

  it('names files that another file of their id keeps out', async () => {
    const made = await scratch({
      '.ai/tools/dup.py': tool('dup'),
      '.ai/tools/dup.yaml': 'tool_id: dup\nversion: "1.0.0"\n',
    })
    expect(await made.run('sign', { item_id: 'tool:*' })).toMatchObject({
      signed: ['dup'],
      left_out: [{ path: made.path('.ai/tools/dup.yaml'), reason: expect.stringContaining('dup.py') }],
    })
  })

  it.each([
    ['take_over', true],
    ['reviewed', true],
    ['resolve', true],
    ['format', 'v1'],
    ['digest', '0'.repeat(64)],
  ])('an agent cannot give the consent of a person: %s', async (name, value) => {
    const made = await scratch({ '.ai/tools/deploy.py': tool('deploy') })
    await made.sign('deploy')
    const [line, ...rest] = made.read('.ai/tools/deploy.py').split('\n')
    const marked = ['<<<<<<< ours', line, '=======', line, '>>>>>>> theirs', ...rest, '# changed'].join('\n')
    made.write('.ai/tools/deploy.py', marked)
    placeKey(made, generateKey())
    for (const item_id of ['deploy', '*'])
      expect(await made.run('sign', { item_id, [name]: value }, 'agent')).toMatchObject({
        code: 'INVALID_INPUT',
        error: expect.stringContaining(`unknown parameter \`${name}\``),
      })
    expect(made.read('.ai/tools/deploy.py')).toBe(marked)
  })

  it('an agent takes nothing over, unless the user’s settings say so', async () => {
    const made = await scratch({ '.ai/tools/deploy.py': tool('deploy') })
    await made.sign('deploy')
    placeKey(made, generateKey())
    for (const word of ['ask', 'refuse', 'allow']) {
      made.write('user:.ai/config/rye.toml', `[mcp]\ntake_over = "${word}"\n`)
      const answer = await made.run('sign', { item_id: 'deploy' }, 'agent')
      expect(answer).toMatchObject(word === 'allow' ? { status: 'signed' } : { code: 'POLICY_DENIED' })
    }
  })

  it('a person says that an item is taken over, and then it is an own one', async () => {
    const made = await scratch({ '.ai/skills/pdf/SKILL.md': skill('pdf') })
    await made.sign('skill:pdf')
    placeKey(made, generateKey())
    expect(await made.run('sign', { item_id: 'skill:pdf' })).toMatchObject({ code: 'POLICY_DENIED' })
    await made.sign('skill:pdf', { take_over: true })
    made.write('.ai/skills/pdf/a.md', '# A\n')
    await made.sign('skill:pdf')
  })
})
