import { chmodSync, existsSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { scratch, skill, tool } from '../../../workspace/scratch.ts'
import { signed } from './signed-scratch.ts'

describe('copying with load', () => {
  it.each([
    ['project', 'user', '.ai/tools/ops/deploy.py', 'user:.ai/tools/ops/deploy.py'],
    ['user', 'project', 'user:.ai/tools/ops/deploy.py', '.ai/tools/ops/deploy.py'],
  ])('%s to %s keeps the category, and the copy verifies', async (source, destination, from, to) => {
    const made = await signed({ [from]: tool('ops/deploy') })
    const answer = await made.run('load', { item_id: 'ops/deploy', source, destination })
    expect(answer).toMatchObject({
      source,
      path: made.path(from),
      copied_to: destination,
      destination_path: made.path(to),
    })
    expect(made.read(to)).toBe(made.read(from))
    expect(await made.run('load', { item_id: 'ops/deploy', source: destination })).toMatchObject({
      source: destination,
      trust: { status: 'verified' },
    })
  })

  it.each([
    ['project', '.ai/tools/rye/core/primitives/mcp.yaml'],
    ['user', 'user:.ai/tools/rye/core/primitives/mcp.yaml'],
  ])('system to %s verifies by the manifest', async (destination, to) => {
    const made = await scratch({}, { key: false })
    const answer = await made.run('load', { item_id: 'rye/core/primitives/mcp', destination })
    expect(answer).toMatchObject({
      source: 'system',
      copied_to: destination,
      destination_path: made.path(to),
    })
    expect(await made.run('load', { item_id: 'rye/core/primitives/mcp' })).toMatchObject({
      source: destination,
      trust: { status: 'verified', format: 'manifest' },
      shadows: [{ space: 'system' }],
    })
  })

  it('only reads when the destination is where the item is', async () => {
    const made = await signed({ '.ai/tools/deploy.py': tool('deploy') })
    const before = statSync(made.path('.ai/tools/deploy.py'))
    const answer = await made.run('load', { item_id: 'deploy', destination: 'project' })
    expect(answer).toMatchObject({ status: 'success' })
    expect(answer).not.toHaveProperty('copied_to')
    expect(statSync(made.path('.ai/tools/deploy.py')).ino).toBe(before.ino)
  })

  it('leaves it to a person where an extractor lies', async () => {
    const made = await scratch({}, { key: false })
    const item_id = 'rye/core/extractors/tool/tool_extractor'
    const copy = { item_id, destination: 'user' }
    expect(await made.run('load', { item_id }, 'agent')).toMatchObject({ status: 'success' })
    expect(await made.run('load', copy, 'agent')).toMatchObject({
      code: 'POLICY_DENIED',
      hint: `copy it: ask the user to run \`rye load tool:${item_id} --to user\``,
    })
    expect(existsSync(made.path(`user:.ai/tools/${item_id}.yaml`))).toBe(false)
    expect(await made.run('load', copy)).toMatchObject({ copied_to: 'user' })
  })

  it('never writes to the system', async () => {
    const made = await scratch()
    expect(
      await made.run('load', { item_id: 'rye/core/primitives/mcp', destination: 'system' }),
    ).toMatchObject({
      code: 'INVALID_INPUT',
    })
  })

  it('overwrites only when told to', async () => {
    const made = await signed({
      '.ai/tools/deploy.py': tool('deploy', { description: 'new' }),
      'user:.ai/tools/deploy.py': tool('deploy', { description: 'old' }),
    })
    const old = made.read('user:.ai/tools/deploy.py')
    const request = { item_id: 'deploy', source: 'project', destination: 'user' }
    expect(await made.run('load', request)).toMatchObject({
      code: 'ITEM_EXISTS',
      hint: '`overwrite: true` replaces it',
    })
    expect(made.read('user:.ai/tools/deploy.py')).toBe(old)
    expect(await made.run('load', { ...request, overwrite: true })).toMatchObject({ copied_to: 'user' })
    expect(made.read('user:.ai/tools/deploy.py')).toBe(made.read('.ai/tools/deploy.py'))
  })

  it('refuses an item of another extension in the destination, even to overwrite', async () => {
    const made = await signed({ '.ai/tools/deploy.py': tool('deploy') })
    made.write('user:.ai/tools/deploy.yaml', 'version: "1.0.0"\n')
    const request = { item_id: 'deploy', source: 'project', destination: 'user' }
    for (const more of [{}, { overwrite: true }]) {
      const { code, hint } = await made.run('load', { ...request, ...more })
      expect(code).toBe('ITEM_EXISTS')
      expect(hint).toContain(`remove \`${made.path('user:.ai/tools/deploy.yaml')}\` first`)
      expect(hint).not.toContain('overwrite')
    }
    expect(existsSync(made.path('user:.ai/tools/deploy.py'))).toBe(false)
  })

  it('takes a detached signature along', async () => {
    const made = await scratch({
      '.ai/tools/ops/call.json': JSON.stringify({
        version: '1.0.0',
        tool_type: 'http',
        executor_id: 'rye/core/runtimes/http/http',
        category: 'ops',
        description: 'Calls',
      }),
    })
    await made.sign('tool:ops/call')
    const answer = await made.run('load', { item_id: 'ops/call', destination: 'user' })
    expect(answer).toMatchObject({ copied_to: 'user' })
    expect(made.read('user:.ai/tools/ops/call.json.sig')).toBe(made.read('.ai/tools/ops/call.json.sig'))
    expect(await made.run('load', { item_id: 'ops/call', source: 'user' })).toMatchObject({
      trust: { status: 'verified' },
    })
  })

  it('keeps an executable file executable', async () => {
    const made = await scratch()
    await made.run('new', { item_type: 'tool', item_id: 'ops/run', language: 'bash' })
    expect(statSync(made.path('.ai/tools/ops/run.sh')).mode & 0o111).not.toBe(0)
    await made.run('load', { item_id: 'ops/run', destination: 'user' })
    expect(statSync(made.path('user:.ai/tools/ops/run.sh')).mode & 0o777).toBe(
      statSync(made.path('.ai/tools/ops/run.sh')).mode & 0o777,
    )
  })

  it('copies a skill whole', async () => {
    const made = await signed({
      '.ai/skills/pdf/SKILL.md': skill('pdf'),
      '.ai/skills/pdf/scripts/fill.py': 'print(1)\n',
      '.ai/skills/pdf/references/forms.md': '# Forms\n',
    })
    expect(await made.run('load', { item_id: 'skill:pdf', destination: 'user' })).toMatchObject({
      destination_path: made.path('user:.ai/skills/pdf/SKILL.md'),
    })
    for (const part of ['SKILL.md', 'SKILL.sig', 'scripts/fill.py', 'references/forms.md'])
      expect(made.read(`user:.ai/skills/pdf/${part}`)).toBe(made.read(`.ai/skills/pdf/${part}`))
    expect(await made.run('load', { item_id: 'skill:pdf@user' })).toMatchObject({
      trust: { status: 'verified' },
    })
  })

  it('overwriting a skill leaves nothing of the old one', async () => {
    const made = await signed({
      '.ai/skills/pdf/SKILL.md': skill('pdf'),
      'user:.ai/skills/pdf/SKILL.md': skill('pdf', 'The old one'),
      'user:.ai/skills/pdf/scripts/old.py': 'print(1)\n',
    })
    const request = { item_id: 'skill:pdf@project', destination: 'user' }
    expect(await made.run('load', request)).toMatchObject({ code: 'ITEM_EXISTS' })
    expect(existsSync(made.path('user:.ai/skills/pdf/scripts/old.py'))).toBe(true)
    expect(await made.run('load', { ...request, overwrite: true })).toMatchObject({ copied_to: 'user' })
    expect(existsSync(made.path('user:.ai/skills/pdf/scripts/old.py'))).toBe(false)
    expect(await made.run('load', { item_id: 'skill:pdf@user' })).toMatchObject({
      trust: { status: 'verified' },
    })
  })

  it('copies nothing that is not verified', async () => {
    const made = await signed({ '.ai/tools/deploy.py': tool('deploy') })
    made.write('.ai/tools/deploy.py', `${made.read('.ai/tools/deploy.py')}#\n`)
    expect(await made.run('load', { item_id: 'deploy', destination: 'user' })).toMatchObject({
      code: 'ITEM_TAMPERED',
    })
    expect(existsSync(made.path('user:.ai/tools'))).toBe(false)
  })

  it('writes past no planted link', async () => {
    const made = await signed({ 'user:.ai/tools/deploy.py': tool('deploy') })
    const outside = made.write('outside.txt', 'mine')
    made.write('.ai/tools/.keep', '')
    symlinkSync(outside, made.path('.ai/tools/deploy.py'))
    const answer = await made.run('load', {
      item_id: 'deploy',
      source: 'user',
      destination: 'project',
      overwrite: true,
    })
    expect(readFileSync(outside, 'utf8')).toBe('mine')
    expect(answer.status === 'error' || answer.copied_to === 'project').toBe(true)
  })
})

it('says that a folder cannot be written', async () => {
  const made = await signed({ '.ai/tools/deploy.py': tool('deploy') })
  made.write('user:.ai/tools', 'a file stands here')
  chmodSync(made.path('user:.ai/tools'), 0o400)
  expect(await made.run('load', { item_id: 'deploy', destination: 'user' })).toMatchObject({
    status: 'error',
    code: 'WRITE_FAILED',
  })
})
