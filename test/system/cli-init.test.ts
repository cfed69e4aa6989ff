import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Answer, scratch, tool } from '../workspace/scratch.ts'
import { makePlace } from './run-rye.ts'

describe('init', () => {
  it('leaves nothing behind where no key can be kept', async () => {
    const made = await scratch({}, { key: false })
    made.write('user:.ai/config/keys/signing', 'in the way')
    expect(await made.run('init')).toMatchObject({
      status: 'error',
      error: expect.stringContaining('no signing key can be made'),
    })
    expect(existsSync(made.path('.ai'))).toBe(false)
  })

  it('makes an empty folder a project whose items are signed and work', async () => {
    const made = await scratch({}, { key: false })
    const answer = await made.run('init')
    expect(answer).toMatchObject({ status: 'initialised', project_path: made.project })
    for (const folder of ['directives', 'tools', 'knowledge', 'skills'])
      expect(statSync(made.path(`.ai/${folder}`)).isDirectory()).toBe(true)
    expect(answer.created).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^signing key [0-9a-f]{16}$/),
        made.path('.ai/tools/hello/greet.ts'),
        made.path('.ai/directives/hello/first_steps.md'),
        made.path('.ai/knowledge/hello/notes.md'),
      ]),
    )
    expect(answer.clients.map((client: Answer) => `${client.client}: ${client.name}`)).toEqual([
      'claude: Claude Code',
      'claude-desktop: Claude Desktop',
      'cursor: Cursor',
      'vscode: VS Code',
      'codex: Codex',
      'gemini: Gemini CLI',
      'windsurf: Windsurf',
      'zed: Zed',
      'opencode: opencode',
    ])
    const verified = await made.run('verify', { targets: [made.project] })
    expect(verified.counts).toMatchObject({ verified: 3, unsigned: 0 })
    expect(await made.run('execute', { item_id: 'hello/greet', parameters: { who: 'Ada' } })).toMatchObject({
      status: 'success',
      data: { greeting: 'hello Ada, from greet' },
    })
    expect(
      await made.run('execute', { item_id: 'hello/first_steps', parameters: { goal: 'x' } }),
    ).toMatchObject({
      your_directions: expect.stringContaining('what helps with: x'),
    })
    expect(await made.run('search', { query: 'how do I start?' })).not.toMatchObject({ total: 0 })
  })

  it('a second time changes nothing', async () => {
    const made = await scratch({}, { key: false })
    await made.run('init', { client: 'claude' })
    const before = ['.mcp.json', '.ai/tools/hello/greet.ts'].map(made.read)
    expect(await made.run('init', { client: 'claude' })).toMatchObject({ created: [] })
    expect(['.mcp.json', '.ai/tools/hello/greet.ts'].map(made.read)).toEqual(before)
  })

  it('leaves what is there, and adds no items to a project that has some', async () => {
    const made = await scratch({ '.ai/tools/mine.py': tool('mine') })
    const answer = await made.run('init')
    expect(answer.created.filter((path: string) => path.includes('hello'))).toEqual([])
    expect(made.read('.ai/tools/mine.py')).toBe(tool('mine'))
  })

  it('makes a home that does not exist yet', async () => {
    const made = await scratch({}, { key: false })
    rmSync(made.user, { recursive: true })
    expect(await made.run('init')).toMatchObject({ status: 'initialised' })
    expect(await made.run('execute', { item_id: 'hello/greet' })).toMatchObject({ status: 'success' })
    rmSync(made.user, { recursive: true })
    const copied = await made.run('load', { item_id: 'rye/bash', destination: 'user' })
    expect(copied).toMatchObject({ copied_to: 'user' })
  })

  it('says where a key could be kept, if not in the user space', async () => {
    const made = await scratch({}, { key: false })
    rmSync(made.user, { recursive: true })
    writeFileSync(made.user, '')
    expect(await made.run('init')).toMatchObject({
      code: 'WRITE_FAILED',
      hint: 'set USER_SPACE to a folder that you can write to: your key is kept there; `--no-items` does without',
    })
  })

  it('makes no items when told so', async () => {
    const made = await scratch({}, { key: false })
    const answer = await made.run('init', { no_items: true })
    expect(answer.created).toContain(made.path('.ai/tools'))
    expect(await made.run('list', { source: 'project' })).toMatchObject({ items: [] })
    expect(answer.next.join()).not.toContain('hello')
  })

  it('says what whoever came by npx can type', async () => {
    const environment = { npm_command: 'exec' }
    const once = await scratch({}, { environment })
    expect((await once.run('init')).next.slice(0, 2)).toEqual([
      'npm install --global ryekit',
      'rye search how do I start',
    ])
    const manifest = JSON.stringify({ devDependencies: { ryekit: '^0.1.0' } })
    const dependent = await scratch({ 'package.json': manifest }, { environment })
    expect((await dependent.run('init')).next[0]).toBe('npx rye search how do I start')
  })

  it('says of settings in the home that they are for this project alone', async () => {
    const place = makePlace()
    onTestFinished(place.remove)
    const connect = async (...words: string[]) => {
      const { stdout, stderr } = await place.rye(['init', '--no-items', '--client', ...words])
      return { stdout, stderr }
    }
    const named = `they name the project by its path, \`${place.project}\``
    expect((await connect('windsurf')).stderr).toContain(named)
    expect((await connect('windsurf')).stderr).toContain('may be for another project')
    expect((await connect('claude-desktop', '--quiet')).stderr).toBe('')
    const { stdout, stderr } = await connect('cursor')
    expect(stderr).toBe('')
    expect(stdout).not.toContain('hello')
    expect(stdout).toContain('rye new tool ops/deploy')
    const again = (await place.rye(['init'])).stdout
    expect(again).toContain('hello/greet')
    await place.rye(['rm', 'tool:hello/greet', '--yes'])
    expect((await place.rye(['init'])).stdout).not.toContain('hello')
  })

  it('says that a client will start what lies in the project, where package.json asks for that', async () => {
    const place = makePlace()
    onTestFinished(place.remove)
    writeFileSync(join(place.project, 'package.json'), '{"dependencies": {"ryekit": "*"}}')
    const { stderr } = await place.rye(['init', '--no-items', '--client', 'claude'])
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain('whoever can write there decides what runs')
  })

  it('makes the folder that is named', async () => {
    const made = await scratch()
    expect(await made.run('init', { directory: 'deep/new' })).toMatchObject({
      project_path: made.path('deep/new'),
    })
    made.write('file', '')
    expect(await made.run('init', { directory: 'file' })).toMatchObject({
      status: 'error',
      code: 'WRITE_FAILED',
    })
    expect(await made.run('init', { directory: 'file/below' })).toMatchObject({ code: 'WRITE_FAILED' })
  })
})

describe('new', () => {
  it.each([
    ['python', '.py', { greeting: 'hello world, from greet' }],
    ['typescript', '.ts', { greeting: 'hello world, from greet' }],
    ['bash', '.sh', { received: { who: 'world' } }],
    ['yaml', '.yaml', { received: { who: 'world' } }],
  ])('a tool in %s validates, signs and runs as it is', async (language, extension, data) => {
    const made = await scratch()
    expect(await made.run('new', { item_type: 'tool', item_id: 'ops/greet', language })).toMatchObject({
      status: 'created',
      item_type: 'tool',
      item_id: 'ops/greet',
      path: made.path(`.ai/tools/ops/greet${extension}`),
      signed: true,
      next: expect.arrayContaining(['rye execute tool:ops/greet']),
    })
    expect(await made.run('show', { item_id: 'ops/greet' })).toMatchObject({ issues: [], diagnostics: [] })
    expect(await made.run('execute', { item_id: 'ops/greet' })).toMatchObject({ status: 'success', data })
  })

  it.each([
    ['directive', 'ops/ship_it', { parameters: { goal: 'x' } }, 'your_directions'],
    ['knowledge', 'ops/notes', {}, 'content'],
    ['skill', 'pdf-forms', {}, 'content'],
    ['knowledge', 'top', {}, 'content'],
    ['directive', 'top', { parameters: { goal: 'x' } }, 'your_directions'],
  ])('a %s called %s can be used at once', async (type, id, input, member) => {
    const made = await scratch()
    expect(await made.run('new', { item_type: type, item_id: id })).toMatchObject({
      status: 'created',
      signed: true,
    })
    const answer = await made.run('execute', { item_id: `${type}:${id}`, ...input })
    expect(answer.status).toBe('success')
    expect(answer[member]).toEqual(expect.any(String))
  })

  it.each(['python', 'typescript', 'bash', 'yaml'])('any description fits into %s', async language => {
    const made = await scratch()
    const description = 'say "hi" to `x`\n$(touch ran) */ --> \\N \\ {0} <b> & \'quotes\' ```'
    expect(await made.run('new', { item_type: 'tool', item_id: 'odd', language, description })).toMatchObject(
      {
        signed: true,
      },
    )
    expect(await made.run('execute', { item_id: 'odd' })).toMatchObject({ status: 'success' })
    expect((await made.run('show', { item_id: 'odd' })).metadata.description).toBe(
      description.replace('\n', ' '),
    )
  })

  it('without a key says what comes next', async () => {
    const made = await scratch({}, { key: false })
    expect(await made.run('new', { item_type: 'tool', item_id: 'a' })).toMatchObject({
      signed: false,
      next: ['rye keys generate', 'rye sign tool:a', 'rye execute tool:a'],
    })
  })

  it('goes to the user space when asked, and never over something', async () => {
    const made = await scratch({ '.ai/tools/a.yaml': 'version: "1.0.0"\n' })
    expect(await made.run('new', { item_type: 'tool', item_id: 'b', source: 'user' })).toMatchObject({
      path: made.path('user:.ai/tools/b.ts'),
      signed: true,
    })
    expect(await made.run('new', { item_type: 'tool', item_id: 'a' })).toMatchObject({ code: 'ITEM_EXISTS' })
  })

  it.each([
    ['directive', 'Ship-It', 'INVALID_ID', 'try `ship_it`'],
    ['skill', 'PDF_Forms', 'INVALID_ID', 'try `pdf-forms`'],
    ['tool', '../x', 'INVALID_ID', ''],
    ['toool', 'x', 'INVALID_INPUT', ''],
  ])('refuses a %s called %s', async (type, id, code, hint) => {
    const made = await scratch()
    const answer = await made.run('new', { item_type: type, item_id: id })
    expect(answer).toMatchObject({ status: 'error', code })
    expect(answer.hint ?? '').toContain(hint)
  })
})
