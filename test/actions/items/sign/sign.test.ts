import { readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { rewriteInPlace } from '../../../files/rewrite-in-place.ts'
import { directive, knowledge, scratch, skill, TEST_KEY, tool } from '../../../workspace/scratch.ts'

const NOW = () => new Date('2026-02-03T04:05:06.789Z')
const CONFIG = 'version: "1.0.0"\ncategory: ""\n'
const JSON_TOOL = JSON.stringify({
  version: '1.0.0',
  tool_type: 'http',
  executor_id: 'rye/core/runtimes/http/http',
  category: 'ops',
  description: 'Calls',
})

describe('signing what was read', () => {
  const read = async (made: Awaited<ReturnType<typeof scratch>>, item_id: string) =>
    (await made.run('show', { item_id, content: true })).content.digest

  it.each([
    ['tool:a', '.ai/tools/a.py', tool('a')],
    ['skill:pdf', '.ai/skills/pdf/scripts/run.py', 'print(1)\n'],
  ])('signs %s as it was shown, and refuses what has taken its place', async (item_id, path, text) => {
    const made = await scratch({ '.ai/skills/pdf/SKILL.md': skill('pdf'), [path]: text })
    const digest = await read(made, item_id)
    writeFileSync(made.path(path), `${text}\n# and more\n`)
    expect(await made.run('sign', { item_id, digest })).toMatchObject({
      code: 'WRITE_FAILED',
      hint: 'read it again',
    })
    expect(await made.run('sign', { item_id, digest: await read(made, item_id) })).toMatchObject({
      status: 'signed',
    })
  })

  it('takes no digest for a pattern', async () => {
    const made = await scratch({ '.ai/tools/a.py': tool('a') })
    const answer = await made.run('sign', { item_id: '*', digest: '0'.repeat(64) })
    expect(answer).toMatchObject({ code: 'INVALID_INPUT' })
  })
})

describe('signing one item', () => {
  it('tells of a default that no call can use', async () => {
    const schema = 'CONFIG_SCHEMA = {"properties": {"n": {"type": "integer", "default": 9007199254740993}}}'
    const made = await scratch({ '.ai/tools/a.py': `${tool('a')}\n${schema}\n` })
    const { status, warnings } = await made.run('sign', { item_id: 'a' })
    expect(status).toBe('signed')
    expect(warnings[0]).toContain('the default `9007199254740993` at `/properties/n` of the schema')
  })

  it('validates it, writes the line and says what it wrote', async () => {
    const made = await scratch({ '.ai/tools/ops/deploy.py': tool('ops/deploy') }, { now: NOW })
    const answer = await made.run('sign', { item_type: 'tool', item_id: 'ops/deploy' })
    const [line, ...rest] = made.read('.ai/tools/ops/deploy.py').split('\n')
    const { signature } = answer
    expect(answer).toEqual({
      status: 'signed',
      item_type: 'tool',
      item_id: 'ops/deploy',
      path: made.path('.ai/tools/ops/deploy.py'),
      location: 'project',
      signature: {
        timestamp: '2026-02-03T04:05:06Z',
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        ed25519_sig: expect.any(String),
        pubkey_fp: TEST_KEY.fingerprint,
        format: 'v2',
      },
      warnings: [],
      message: 'Tool validated and signed.',
    })
    expect(line).toBe(
      `# rye:signed:${signature.timestamp}:${signature.hash}:${signature.ed25519_sig}:${signature.pubkey_fp}`,
    )
    expect(rest.join('\n')).toBe(tool('ops/deploy'))
    expect(await made.run('load', { item_id: 'ops/deploy' })).toMatchObject({ trust: { status: 'verified' } })
  })

  it.each([
    [
      'directive',
      '.ai/directives/ship.md',
      directive('ship'),
      'Directive validated and signed.',
      /^<!-- rye:signed:.* -->$/m,
    ],
    [
      'knowledge',
      '.ai/knowledge/ship.md',
      knowledge('ship'),
      'Knowledge entry validated and signed.',
      /^<!-- rye:/,
    ],
    ['config', '.ai/config/ship.yaml', CONFIG, 'Config validated and signed.', /^# rye:signed:/],
  ])('of type %s', async (type, path, text, message, line) => {
    const made = await scratch({ [path]: text })
    expect(await made.run('sign', { item_id: `${type}:ship` })).toMatchObject({
      status: 'signed',
      item_type: type,
      message,
    })
    expect(made.read(path)).toMatch(line)
  })

  it('signs after a shebang', async () => {
    const made = await scratch()
    await made.run('new', { item_type: 'tool', item_id: 'run', language: 'bash' })
    await made.sign('run')
    expect(made.read('.ai/tools/run.sh').split('\n').slice(0, 3)).toEqual([
      '#!/usr/bin/env bash',
      expect.stringMatching(/^# rye:signed:/),
      expect.not.stringMatching(/rye:signed/),
    ])
  })

  it('puts the signature of JSON beside it', async () => {
    const made = await scratch({ '.ai/tools/ops/call.json': JSON_TOOL })
    await made.sign('ops/call')
    expect(made.read('.ai/tools/ops/call.json')).toBe(JSON_TOOL)
    expect(made.read('.ai/tools/ops/call.json.sig')).toMatch(/^# rye:signed:.*\n$/)
  })

  it('signs a skill by its manifest, and leaves SKILL.md alone', async () => {
    const made = await scratch({
      '.ai/skills/pdf/SKILL.md': skill('pdf'),
      '.ai/skills/pdf/scripts/a.py': 'print(1)\n',
    })
    expect(await made.sign('skill:pdf')).toMatchObject({
      message: 'Skill validated and signed.',
      location: 'project',
    })
    expect(made.read('.ai/skills/pdf/SKILL.md')).toBe(skill('pdf'))
    expect(made.read('.ai/skills/pdf/SKILL.sig')).toMatch(
      /[0-9a-f]{64} {2}SKILL\.md\n[0-9a-f]{64} {2}scripts\/a\.py\n/,
    )
    expect(await made.run('sign', { item_id: 'skill:pdf', format: 'v1' })).toMatchObject({
      code: 'INVALID_INPUT',
    })
  })

  it('signs every file of a skill, and warns of folders that other programs write to', async () => {
    const made = await scratch({
      '.ai/skills/pdf/SKILL.md': skill('pdf'),
      '.ai/skills/pdf/.env': 'A=1\n',
      '.ai/skills/pdf/scripts/__pycache__/a.pyc': 'x',
      '.ai/skills/pdf/scripts/__pycache__/b.pyc': 'x',
      '.ai/skills/pdf/node_modules/x/.git/config': 'x',
    })
    expect((await made.sign('skill:pdf')).warnings).toEqual([
      expect.stringMatching(/^node_modules: is signed too/),
      expect.stringMatching(/^scripts\/__pycache__: is signed too/),
    ])
    const listed = made.read('.ai/skills/pdf/SKILL.sig').match(/(?<= {2})\S+$/gm)
    expect(listed).toEqual([
      '.env',
      'SKILL.md',
      'node_modules/x/.git/config',
      'scripts/__pycache__/a.pyc',
      'scripts/__pycache__/b.pyc',
    ])
  })

  it.each([
    ['its own line', (text: string) => text],
    [
      'a line of the older system',
      (text: string) => text.replace(/^# rye:signed:.*/, '# kiwi-mcp:validated:2024-01-01T00:00:00Z:abc'),
    ],
    [
      'a placeholder',
      (text: string) =>
        text.replace(/^# rye:signed:.*/, '# rye:signed:placeholder:placeholder:placeholder:placeholder'),
    ],
    ['a tampered body', (text: string) => `${text}# more\n`],
  ])('signing again replaces %s', async (_title, change) => {
    const made = await scratch({ '.ai/tools/deploy.py': tool('deploy') })
    await made.sign('deploy')
    made.write('.ai/tools/deploy.py', change(made.read('.ai/tools/deploy.py')))
    await made.sign('deploy')
    const text = made.read('.ai/tools/deploy.py')
    expect(text.match(/rye:signed:/g)).toHaveLength(1)
    expect(text).not.toContain('kiwi-mcp')
    expect(await made.run('load', { item_id: 'deploy' })).toMatchObject({ trust: { status: 'verified' } })
  })

  it('writes the old format when asked', async () => {
    const made = await scratch({ '.ai/tools/deploy.py': tool('deploy') })
    expect(await made.run('sign', { item_id: 'deploy', format: 'v1' })).toMatchObject({
      signature: { format: 'v1' },
    })
    expect(await made.run('load', { item_id: 'deploy' })).toMatchObject({
      trust: { status: 'verified', format: 'v1', coverage: 'full' },
    })
  })

  it('notices a directive that says nothing after its block', async () => {
    const inside = directive('notes').replace(/(<\/directive>\n```)[\s\S]*$/, '<process>Go</process>$1\n')
    const made = await scratch({
      '.ai/directives/notes.md': inside,
      '.ai/directives/good.md': directive('good'),
    })
    expect((await made.run('sign', { item_id: 'notes' })).warnings).toEqual([
      expect.stringContaining('it gives no directions'),
    ])
    expect((await made.run('sign', { item_id: 'good' })).warnings).toEqual([])
  })

  it('in the old format covers a part of some files, and whoever meets it is told how to sign the rest', async () => {
    const made = await scratch({ '.ai/directives/notes.md': directive('notes') })
    await made.run('sign', { item_id: 'notes', format: 'v1' })
    expect(await made.run('load', { item_id: 'notes' })).toMatchObject({
      code: 'ITEM_UNTRUSTED',
      error: expect.stringContaining('`directive:notes` is signed only in part'),
      hint: 'read it, and if it is right: rye sign directive:notes --take-over',
    })
    await made.run('sign', { item_id: 'notes', take_over: true })
    expect(await made.run('load', { item_id: 'notes' })).toMatchObject({ status: 'success' })
  })

  it.each([
    [{ location: 'user', source: 'project' }, 'location `user` and source `project` contradict each other'],
    [{ item_id: 'tool:a@user', source: 'project' }, 'the space of `tool:a@user` and `project` contradict'],
    [{ item_id: 'tool:a@project', location: 'user' }, 'the space of `tool:a@project` and `user` contradict'],
    [{ item_id: 'tool:*', location: 'project', source: 'user' }, 'contradict each other'],
  ])('refuses spaces that contradict each other: %j', async (input, message) => {
    const made = await scratch({ '.ai/tools/a.py': tool('a'), 'user:.ai/tools/a.py': tool('a') })
    const before = [made.read('.ai/tools/a.py'), made.read('user:.ai/tools/a.py')]
    const answer = await made.run('sign', { item_id: 'tool:a', ...input })
    expect(answer).toMatchObject({ code: 'INVALID_INPUT', error: expect.stringContaining(message) })
    expect([made.read('.ai/tools/a.py'), made.read('user:.ai/tools/a.py')]).toEqual(before)
    const same = await made.run('sign', { item_id: 'tool:a', location: 'user', source: 'user' })
    expect(same).toMatchObject({ location: 'user' })
  })

  it('takes category, location and source', async () => {
    const made = await scratch({
      '.ai/directives/core/bootstrap.md': directive('core/bootstrap'),
      'user:.ai/tools/mine.py': tool('mine'),
    })
    const bootstrap = { status: 'signed', item_id: 'core/bootstrap', location: 'project' }
    expect(
      await made.run('sign', {
        item_type: 'directive',
        item_id: 'bootstrap',
        location: 'project',
        category: 'core',
      }),
    ).toMatchObject(bootstrap)
    expect(await made.run('sign', { item_id: 'directive:bootstrap', category: 'core' })).toMatchObject(
      bootstrap,
    )
    expect(await made.run('sign', { item_id: 'core/bootstrap', category: 'core' })).toMatchObject(bootstrap)
    for (const input of [{ location: 'user' }, { source: 'user' }])
      expect(await made.run('sign', { item_id: 'mine', ...input })).toMatchObject({ location: 'user' })
    expect(await made.run('sign', { item_id: 'tool:mine@user' })).toMatchObject({ location: 'user' })
  })

  it('warns of what cannot be seen, with line and column, and signs', async () => {
    const made = await scratch({
      '.ai/knowledge/a.md': knowledge('a', { body: 'plain\nhid\u200bden \u202eback' }),
      '.ai/skills/pdf/SKILL.md': skill('pdf'),
      '.ai/skills/pdf/references/x.md': 'a\u200bb\n',
      '.ai/skills/pdf/logo.bin': '\0\u0001\u0002',
    })
    const answer = await made.sign('knowledge:a')
    expect(answer.warnings).toEqual([
      'line 12, column 4: invisible character U+200B',
      'line 12, column 9: bidirectional character U+202E',
    ])
    expect((await made.sign('skill:pdf')).warnings).toEqual([
      'references/x.md: line 1, column 2: invisible character U+200B',
    ])
  })
})

it('warns of what could not be read, and signs', async () => {
  const source = `${tool('ops/deploy')}\nENV_CONFIG = {"a": 1, "b": f()}\n`
  const made = await scratch({ '.ai/tools/ops/deploy.py': source })
  expect((await made.sign('tool:ops/deploy')).warnings).toEqual([
    expect.stringMatching(/^line \d+, column 28: expected `ENV_CONFIG\.b` to be a constant, got a call$/),
  ])
})

describe('refusing to sign', () => {
  it('names every issue at once, and leaves the file as it was', async () => {
    const text = '__version__ = "one"\n__category__ = "wrong"\n'
    const made = await scratch({ '.ai/tools/ops/deploy.py': text })
    expect(await made.run('sign', { item_id: 'ops/deploy' })).toMatchObject({
      status: 'error',
      code: 'VALIDATION_FAILED',
      path: made.path('.ai/tools/ops/deploy.py'),
      issues: [
        "Field 'category' must match path category 'ops'",
        'Missing required field: tool_type',
        "Field 'version' must be semver format (X.Y.Z), got 'one'",
        'Missing required field: description',
      ],
    })
    expect(made.read('.ai/tools/ops/deploy.py')).toBe(text)
  })

  it('says what the parser says', async () => {
    const made = await scratch({ '.ai/knowledge/a.md': '```yaml\nname: [\n```\n' })
    const { issues } = await made.run('sign', { item_id: 'a' })
    expect(issues[0]).toMatch(/^line \d+, column \d+: /)
  })

  it('without a key names the command that makes one', async () => {
    const made = await scratch({ '.ai/tools/deploy.py': tool('deploy') }, { key: false })
    expect(await made.run('sign', { item_id: 'deploy' })).toMatchObject({
      code: 'KEY_MISSING',
      hint: 'make one with `rye keys generate`',
    })
  })

  it('of the system space', async () => {
    const made = await scratch()
    expect(await made.run('sign', { item_id: 'tool:rye/bash@system' })).toMatchObject({
      code: 'SPACE_IMMUTABLE',
      hint: 'copy it first: rye load tool:rye/bash@system --to project',
    })
    expect(await made.run('sign', { item_id: 'tool:rye/bash', source: 'system' })).toMatchObject({
      status: 'error',
      code: 'INVALID_INPUT',
    })
    expect(await made.run('sign', { item_id: 'tool:rye/bash' })).toMatchObject({ code: 'ITEM_NOT_FOUND' })
  })

  it('through an agent when the user denies it, and not to a person', async () => {
    const made = await scratch({
      '.ai/tools/deploy.py': tool('deploy'),
      'user:.ai/config/rye.toml': '[mcp]\nsign = "deny"\n',
    })
    expect(await made.run('sign', { item_id: 'deploy' }, 'agent')).toMatchObject({
      code: 'POLICY_DENIED',
      hint: 'a person can run: rye sign deploy',
    })
    expect(await made.run('sign', { item_id: 'deploy' }, 'person')).toMatchObject({ status: 'signed' })
  })

  it.each([
    [{ item_id: 'nothing' }, 'ITEM_NOT_FOUND'],
    [{ item_id: '../x' }, 'INVALID_ID'],
    [{ item_id: 'a', category: '../..' }, 'INVALID_ID'],
    [{ item_id: 'tool:x', item_type: 'skill' }, 'INVALID_INPUT'],
    [{ item_id: 'x', format: 'v3' }, 'INVALID_INPUT'],
    [{ item_id: 'zzz*' }, 'ITEM_NOT_FOUND'],
    [{ item_id: '../*' }, 'ITEM_NOT_FOUND'],
  ])('%j', async (input, code) => {
    const made = await scratch()
    expect(await made.run('sign', input)).toMatchObject({ status: 'error', code })
  })

  it.each<[string, (path: string, text: string) => void]>([
    ['', writeFileSync],
    [', its size, inode and time as before,', rewriteInPlace],
  ])('of a file that changed%s while it was signed', async (_, write) => {
    const made = await scratch({ '.ai/tools/deploy.py': `${tool('deploy')}# version\n` })
    const path = made.path('.ai/tools/deploy.py')
    utimesSync(path, 1e9, 1e9)
    const now = made.library.now
    // The clock is read between reading and writing: the moment at which somebody saves.
    made.library.now = () => {
      write(path, readFileSync(path, 'utf8').replace('# version', '# edited.'))
      return now()
    }
    expect(await made.run('sign', { item_id: 'deploy' })).toMatchObject({
      code: 'WRITE_FAILED',
      hint: 'sign it again',
    })
    expect(made.read('.ai/tools/deploy.py')).toMatch(/# edited\.\n$/)
  })
})
