import { symlinkSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { directive, knowledge, scratch, tool } from '../../../workspace/scratch.ts'
import { signed } from './signed-scratch.ts'

describe('load', () => {
  it('answers with the verified bytes and what is known of the file', async () => {
    const made = await signed({ '.ai/tools/ops/deploy.py': tool('ops/deploy', { version: '1.2.3' }) })
    const path = made.path('.ai/tools/ops/deploy.py')
    const answer = await made.run('load', { item_type: 'tool', item_id: 'ops/deploy' })
    expect(answer).toEqual({
      status: 'success',
      item_type: 'tool',
      item_id: 'ops/deploy',
      content: made.read('.ai/tools/ops/deploy.py'),
      metadata: { name: 'deploy', path, extension: '.py', version: '1.2.3' },
      path,
      source: 'project',
      mode: 'id',
      trust: expect.objectContaining({ status: 'verified', format: 'v2', coverage: 'full' }),
      shadows: [],
    })
    expect(answer.content).toMatch(/^# rye:signed:/)
  })

  it('finds the type by looking', async () => {
    const made = await signed({ '.ai/knowledge/notes.md': knowledge('notes') })
    expect(await made.run('load', { item_id: 'notes' })).toMatchObject({ item_type: 'knowledge' })
    expect(await made.run('load', { item_id: 'knowledge:notes' })).toMatchObject({ item_type: 'knowledge' })
  })

  it('refuses an id of several types, naming them', async () => {
    const made = await signed({
      '.ai/knowledge/deploy.md': knowledge('deploy'),
      '.ai/tools/deploy.py': tool('deploy'),
      '.ai/directives/deploy.md': directive('deploy'),
    })
    expect(await made.run('load', { item_id: 'deploy' })).toMatchObject({
      status: 'error',
      code: 'ITEM_AMBIGUOUS',
      types: ['directive', 'knowledge', 'tool'],
      hint: 'name the type: `directive:deploy`',
    })
    expect(await made.run('load', { item_id: 'deploy', item_type: 'tool' })).toMatchObject({
      item_type: 'tool',
    })
  })

  it('takes the first of project, user, system, and reaches the others by name', async () => {
    const made = await signed({
      '.ai/tools/deploy.py': tool('deploy', { description: 'of the project' }),
      'user:.ai/tools/deploy.py': tool('deploy', { description: 'of the user' }),
      'user:.ai/tools/mine.py': tool('mine'),
    })
    const project = await made.run('load', { item_id: 'deploy' })
    expect(project).toMatchObject({ source: 'project', shadows: [{ space: 'user' }] })
    for (const request of [{ item_id: 'deploy', source: 'user' }, { item_id: 'tool:deploy@user' }]) {
      const user = await made.run('load', request)
      expect(user).toMatchObject({ source: 'user', shadows: [], path: made.path('user:.ai/tools/deploy.py') })
      expect(user.content).toContain('of the user')
    }
    expect(await made.run('load', { item_id: 'mine' })).toMatchObject({ source: 'user' })
    expect(await made.run('load', { item_id: 'rye/core/primitives/mcp' })).toMatchObject({
      source: 'system',
      trust: { status: 'verified', format: 'manifest', signer: 'system' },
    })
    expect(await made.run('load', { item_id: 'mine', source: 'project' })).toMatchObject({
      code: 'ITEM_NOT_FOUND',
      hint: 'there is `tool:mine@user`',
    })
  })

  it('refuses a type or space that contradicts the reference', async () => {
    const made = await signed({ '.ai/tools/deploy.py': tool('deploy') })
    expect(await made.run('load', { item_id: 'tool:deploy', item_type: 'skill' })).toMatchObject({
      code: 'INVALID_INPUT',
    })
    expect(await made.run('load', { item_id: 'deploy@user', source: 'project' })).toMatchObject({
      code: 'INVALID_INPUT',
    })
  })

  it('fails in the form of the documents, with the nearest id', async () => {
    const made = await signed({ '.ai/tools/my-project/deploy.py': tool('my-project/deploy') })
    expect(await made.run('load', { item_type: 'tool', item_id: 'my-project/deplyo' })).toEqual({
      status: 'error',
      error: 'Item not found: my-project/deplyo',
      code: 'ITEM_NOT_FOUND',
      hint: 'did you mean `my-project/deploy`?',
      item_type: 'tool',
      item_id: 'my-project/deplyo',
      searched: 'project, user, system',
    })
    expect(await made.run('load', { item_id: 'deploy' })).toMatchObject({
      hint: 'did you mean `my-project/deploy`?',
    })
    expect(await made.run('load', { item_id: 'my-project' })).toMatchObject({
      hint: 'it is a folder; items in it have ids such as `my-project/deploy`',
    })
    expect(await made.run('load', { item_id: 'knowledge:my-project/deploy' })).toMatchObject({
      hint: 'there is `tool:my-project/deploy@project`',
    })
  })

  it.each([
    '../secret',
    '/etc/passwd',
    'a//b',
    'a/../b',
    '',
    'a\0b',
    'ä',
    '\ud800',
    '.hidden',
    'a/./b',
    'x'.repeat(256),
    'nothing:here',
    'tool:x@nowhere',
  ])('refuses the id %j before touching a file', async id => {
    const made = await scratch({}, { key: false })
    expect(await made.run('load', { item_id: id })).toMatchObject({ status: 'error', code: 'INVALID_ID' })
  })

  it('checks the version that is expected', async () => {
    const made = await signed({ '.ai/tools/deploy.py': tool('deploy', { version: '2.0.0' }) })
    expect(await made.run('load', { item_id: 'deploy', version: '2.0.0' })).toMatchObject({
      status: 'success',
    })
    expect(await made.run('load', { item_id: 'deploy', version: '1.0.0' })).toMatchObject({
      code: 'ITEM_NOT_FOUND',
      error: 'expected version `1.0.0` of `deploy`, got `2.0.0`',
    })
  })

  it('tells the version, and search finds it, that an Agent Skill has below `metadata`, as it is spelled', async () => {
    const made = await signed({
      '.ai/skills/pdf/SKILL.md':
        '---\nname: pdf\ndescription: Fill forms\nmetadata:\n  version: 1.10\n---\n# PDF\n',
    })
    const request = { item_id: 'skill:pdf', version: '1.10' }
    expect(await made.run('load', request)).toMatchObject({ metadata: { version: '1.10' } })
    expect(await made.run('load', { ...request, view: 'summary' })).toMatchObject({ version: '1.10' })
    const { results } = await made.run('search', {
      query: 'forms',
      filters: { version: '>=1.9' },
      source: 'project',
    })
    expect(results).toMatchObject([{ id: 'pdf' }])
  })

  it.each([
    ['1.5', '1.5'],
    ['2', '2'],
    ['"1.50"', '1.50'],
    ['9007199254740993', '9007199254740993'],
  ])('takes `version: %s` for `%s`, as a filter does', async (written, version) => {
    const made = await scratch(
      { '.ai/knowledge/notes.md': `---\ntitle: T\nversion: ${written}\n---\nText\n` },
      { environment: { RYE_DEV_MODE: '1' } },
    )
    expect(await made.run('load', { item_id: 'notes', version })).toMatchObject({ metadata: { version } })
    expect(await made.run('search', { query: '*', filters: { version }, source: 'project' })).toMatchObject({
      results: [{ id: 'notes' }],
    })
    expect(await made.run('load', { item_id: 'notes', version: `${version}.1` })).toMatchObject({
      error: `expected version \`${version}.1\` of \`notes\`, got \`${version}\``,
    })
  })

  it.each(['true', '[1, 2]', '{a: 1}', 'null'])('finds no version in `version: %s`', async written => {
    const made = await scratch(
      { '.ai/knowledge/notes.md': `---\ntitle: T\nversion: ${written}\n---\nText\n` },
      { environment: { RYE_DEV_MODE: '1' } },
    )
    const answer = await made.run('load', { item_id: 'notes' })
    expect(answer).toMatchObject({ status: 'success' })
    expect(answer.metadata).not.toHaveProperty('version')
  })

  it.each([
    ['unsigned', 'ITEM_UNSIGNED', (text: string) => text.slice(text.indexOf('\n') + 1)],
    ['tampered', 'ITEM_TAMPERED', (text: string) => `${text}# more\n`],
    ['malformed', 'ITEM_MALFORMED', (text: string) => text.replace('rye:signed:', 'rye:signed:x')],
  ])('refuses an item that is %s, and says how it is fixed', async (_name, code, change) => {
    const made = await signed({ '.ai/tools/deploy.py': tool('deploy') })
    made.write('.ai/tools/deploy.py', change(made.read('.ai/tools/deploy.py')))
    const answer = await made.run('load', { item_id: 'deploy' })
    expect(answer).toMatchObject({ status: 'error', code, item_type: 'tool', item_id: 'deploy' })
    expect(answer.hint).toContain('rye sign tool:deploy')
    expect(answer).not.toHaveProperty('content')
  })

  it('refuses an item whose key is no longer trusted', async () => {
    const made = await signed({ '.ai/tools/deploy.py': tool('deploy') })
    const { keys } = await made.run('keys list')
    await made.run('keys remove', { fingerprint: keys[0].fingerprint })
    expect(await made.run('load', { item_id: 'deploy' })).toMatchObject({
      code: 'ITEM_UNTRUSTED',
      trust: { signer: keys[0].fingerprint },
    })
  })

  it('refuses a linked item', async () => {
    const made = await signed({ '.ai/tools/deploy.py': tool('deploy') })
    symlinkSync(made.path('.ai/tools/deploy.py'), made.path('.ai/tools/other.py'))
    expect(await made.run('load', { item_id: 'other' })).toMatchObject({ code: 'FILE_UNREADABLE' })
  })
})
