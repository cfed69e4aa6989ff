import { chmodSync, existsSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { directive, knowledge, type Scratch, scratch, skill, tool } from '../../../workspace/scratch.ts'

async function signed(files: Readonly<Record<string, string>>): Promise<Scratch> {
  const made = await scratch(files)
  const spaces = new Set(Object.keys(files).map(path => (path.startsWith('user:') ? 'user' : 'project')))
  for (const source of spaces) await made.sign('*', { source })
  return made
}

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
  ])('refuses an item that is %s, and says how it is mended', async (_name, code, change) => {
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
    expect(await made.run('load', request)).toMatchObject({ code: 'ITEM_EXISTS' })
    expect(await made.run('load', { ...request, overwrite: true })).toMatchObject({
      code: 'ITEM_EXISTS',
      hint: expect.stringContaining('deploy.yaml'),
    })
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

describe('a summary', () => {
  it('of a tool says what it takes and what runs it, without its source', async () => {
    const schema = 'CONFIG_SCHEMA = {"type": "object", "properties": {"to": {"type": "string"}}}\n'
    const made = await signed({
      '.ai/tools/ops/deploy.py': tool('ops/deploy', { version: '1.2.3' }).replace(
        '\ndef ',
        `\n${schema}def `,
      ),
    })
    const answer = await made.run('load', { item_id: 'ops/deploy', view: 'summary' })
    expect(answer).toMatchObject({
      status: 'success',
      item_type: 'tool',
      item_id: 'ops/deploy',
      version: '1.2.3',
      parameters: { type: 'object', properties: { to: { type: 'string' } } },
      signer: expect.stringMatching(/^[0-9a-f]{16}$/),
    })
    expect(answer.chain.at(-1).item_id).toBe('rye/core/primitives/subprocess')
    expect(answer).not.toHaveProperty('content')
  })

  it('of a directive has its inputs as a schema', async () => {
    const made = await signed({ '.ai/directives/ship.md': directive('ship') })
    expect(await made.run('load', { item_id: 'ship', view: 'summary' })).toMatchObject({
      parameters: { type: 'object', additionalProperties: false },
    })
  })

  it('of a skill has its files', async () => {
    const made = await signed({ '.ai/skills/pdf/SKILL.md': skill('pdf'), '.ai/skills/pdf/a.txt': 'a' })
    const { files } = await made.run('load', { item_id: 'skill:pdf', view: 'summary' })
    expect(files).toEqual(['SKILL.md', 'a.txt'])
  })

  it('of a tool that nothing runs says why', async () => {
    const made = await signed({
      '.ai/tools/deploy.py': tool('deploy').replace(/__executor_id__ = .*/, '__executor_id__ = "my/own"'),
    })
    const answer = await made.run('load', { item_id: 'deploy', view: 'summary' })
    expect(answer.problem).toContain('`my/own`, the executor of `deploy`, is not in project space or below')
    expect(answer).not.toHaveProperty('chain')
  })

  it('is refused for what is not signed, like the source', async () => {
    const made = await scratch({ '.ai/tools/deploy.py': tool('deploy') })
    expect(await made.run('load', { item_id: 'deploy', view: 'summary' })).toMatchObject({
      status: 'error',
      code: 'ITEM_UNSIGNED',
    })
  })
})

describe('a page of an item', () => {
  it('is a part of its bytes, and says where the next begins', async () => {
    const made = await signed({ '.ai/knowledge/notes.md': knowledge('notes', { body: 'äöü'.repeat(50) }) })
    const whole = made.read('.ai/knowledge/notes.md')
    let [text, offset] = ['', 0 as number | undefined]
    while (offset !== undefined) {
      const page = await made.run('load', { item_id: 'notes', offset, limit: 7 })
      expect(page.size).toBe(Buffer.byteLength(whole))
      text += page.content
      offset = page.next_offset
    }
    expect(text).toBe(whole)
  })
})

describe('an output that is not kept', () => {
  it.each(['output:0123456789abcdef01234567', 'output:', 'output:../../etc/passwd', 'output:x\u202e'])(
    '%s is not found',
    async item_id => {
      const made = await scratch({})
      expect(await made.run('load', { item_id })).toMatchObject({ code: 'ITEM_NOT_FOUND' })
    },
  )
})
