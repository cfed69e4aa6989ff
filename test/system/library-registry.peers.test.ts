// `rye/registry` against a real npm registry and the real npm: from signed items to a package and back.
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, type LibrarySession, openSession } from '../fixtures/library-session.ts'
import { type NpmRegistry, registrySettings, startRegistry } from './npm-registry.ts'

const ITEMS = {
  '.ai/tools/team/greet.py': `__version__ = "1.0.0"
__tool_type__ = "python"
__executor_id__ = "rye/core/runtimes/python/function"
__category__ = "team"
__tool_description__ = "Greets"

CONFIG_SCHEMA = {"type": "object", "properties": {}}


def execute(params, project_path):
    return {"success": True, "data": "hello from the bundle"}
`,
  '.ai/tools/team/list.sh': `#!/usr/bin/env bash
# __version__ = "1.0.0"
# __tool_type__ = "bash"
# __executor_id__ = "rye/core/runtimes/bash/bash"
# __category__ = "team"
# __tool_description__ = "Lists"
ls
`,
  '.ai/tools/team/data.json': `{
  "tool_type": "bash", "version": "1.0.0", "executor_id": "rye/core/runtimes/bash/bash", "category": "team",
  "description": "Says something", "config": {"command": "echo data"}
}
`,
  '.ai/knowledge/team/rules.md': `---
name: rules
title: Rules
entry_type: reference
category: team
version: "1.0.0"
description: Our rules
---

Be kind.
`,
  '.ai/skills/tea/SKILL.md': `---
name: tea
description: Make tea. Use it when somebody is thirsty.
---

See \`references/how to.md\`.
`,
  '.ai/skills/tea/references/how to.md': '# How to\n\nWater first.\n',
}
const SIGNED = ['tool:team/*', 'knowledge:team/rules', 'skill:tea']
const PACKAGE = { package: '@team/pack', version: '1.0.0', description: 'Greetings and rules of the team' }

const run = promisify(execFile)
let root: string
let registry: NpmRegistry
let ann: LibrarySession
let bob: LibrarySession

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'rye-registry-'))
  registry = await startRegistry(join(root, 'registry'))
  ann = await openSession({ signing: true, environment: { NPM_TOKEN: registry.token } })
  bob = await openSession({ signing: true })
  for (const session of [ann, bob]) await configure(session, registry.url)
  for (const [path, content] of Object.entries(ITEMS)) ann.write(path, content)
  for (const ref of SIGNED) await sign(ann, ref)
}, 180_000)
afterAll(async () => {
  await registry?.stop()
  await ann?.close()
  await bob?.close()
  rmSync(root, { recursive: true, force: true })
})

async function configure(session: LibrarySession, url: string): Promise<void> {
  session.write('.ai/config/rye/registry.yaml', registrySettings(url))
  await sign(session, 'config:rye/registry')
}

async function sign(session: LibrarySession, ref: string): Promise<void> {
  const [item_type, item_id] = ref.split(':')
  const answer = await session.call('sign', { item_type, item_id })
  expect(answer, ref).toMatchObject({ status: expect.stringMatching(/signed|completed/) })
}

const call = (session: LibrarySession, action: string, parameters = {}): Promise<Answer> =>
  session.execute('rye/registry', { action, ...parameters })
const read = (session: LibrarySession, path: string) => readFileSync(join(session.project, path))

describe('rye/registry', () => {
  let integrity: string

  it('shows what would be published, the same bytes whenever', async () => {
    const dry = { ...PACKAGE, items: SIGNED, dry_run: true }
    const first = await call(ann, 'publish', dry)
    expect(first, JSON.stringify(first)).toMatchObject({
      status: 'success',
      data: {
        dry_run: true,
        items: ['knowledge:team/rules', 'skill:tea', 'tool:team/data', 'tool:team/greet', 'tool:team/list'],
      },
    })
    expect(first.data!.files.map((file: { path: string }) => file.path)).toEqual([
      '.ai/knowledge/team/rules.md',
      '.ai/skills/tea/SKILL.md',
      '.ai/skills/tea/SKILL.sig',
      '.ai/skills/tea/references/how to.md',
      '.ai/tools/team/data.json',
      '.ai/tools/team/data.json.sig',
      '.ai/tools/team/greet.py',
      '.ai/tools/team/list.sh',
    ])
    utimesSync(join(ann.project, '.ai/tools/team/greet.py'), 1, 1)
    integrity = first.data!.integrity
    expect((await call(ann, 'publish', dry)).data!.integrity).toBe(integrity)
    expect((await call(bob, 'show', { package: PACKAGE.package })).error).toContain(
      'has no package `@team/pack`',
    )
  })

  it('publishes, once for each version', async () => {
    expect(await call(ann, 'publish', { ...PACKAGE, items: SIGNED, keywords: ['tea'] })).toMatchObject({
      status: 'success',
      data: { package: '@team/pack', version: '1.0.0', note: expect.stringContaining('rye keys show') },
    })
    expect((await call(ann, 'publish', { ...PACKAGE, items: SIGNED })).error).toContain('published already')
    const other = { ...PACKAGE, version: '1.1.0-rc.1', items: ['tool:team/greet'], tag: 'next' }
    expect((await call(ann, 'publish', other)).status).toBe('success')
  })

  it('finds bundles, and no other packages', async () => {
    await npmPublish({ name: 'plain', version: '1.0.0', description: 'Greetings without items' }, {})
    for (const query of ['', 'greetings']) {
      expect((await call(bob, 'search', { query })).data, query).toMatchObject({
        count: 1,
        bundles: [{ package: '@team/pack', version: '1.0.0', keywords: ['rye-bundle', 'tea'] }],
      })
    }
    expect((await call(bob, 'search', { query: 'nothing of this kind' })).data).toMatchObject({ count: 0 })
  })

  it('shows versions, tags, items and who signed them', async () => {
    const signer = (await ann.call('keys show', {})).fingerprint
    expect((await call(bob, 'show', { package: '@team/pack' })).data).toMatchObject({
      tags: { latest: '1.0.0', next: '1.1.0-rc.1' },
      versions: ['1.0.0', '1.1.0-rc.1'],
      version: '1.0.0',
      description: PACKAGE.description,
      items: ['knowledge:team/rules', 'skill:tea', 'tool:team/data', 'tool:team/greet', 'tool:team/list'].map(
        item => ({ item, signed_by: signer }),
      ),
    })
    expect((await call(bob, 'show', { package: '@team/pack', version: 'next' })).data!.items).toHaveLength(1)
    for (const version of ['2.0.0', '1', '^1.0.0', '', 'constructor', '__proto__']) {
      const { error } = await call(bob, 'show', { package: '@team/pack', version })
      expect(error, version).toContain(
        'expected an exact version or a tag, of latest, next, 1.1.0-rc.1, 1.0.0',
      )
    }
  })

  it('pulls items that count only once their signer is trusted', async () => {
    const dry = await call(bob, 'pull', { package: '@team/pack', dry_run: true })
    expect(dry.data!.written).toHaveLength(8)
    expect(() => read(bob, '.ai/tools/team/greet.py')).toThrow('ENOENT')
    const pulled = await call(bob, 'pull', { package: '@team/pack', version: '1.0.0' })
    expect(pulled.data).toMatchObject({
      version: '1.0.0',
      unchanged: [],
      overwritten: [],
      ignored: ['package/package.json', 'package/README.md'],
      note: expect.stringContaining('rye verify'),
    })
    for (const path of pulled.data!.written) expect(read(bob, path), path).toEqual(read(ann, path))
    // A script can be started, as one that `add` brought.
    const modes = ['list.sh', 'greet.py'].map(
      name => statSync(join(bob.project, '.ai/tools/team', name)).mode,
    )
    expect(modes.map(mode => mode & 0o100)).toEqual([0o100, 0])
    expect((await bob.execute('team/greet')).code).toBe('ITEM_UNTRUSTED')
    expect((await bob.call('verify', {})).counts).toMatchObject({ untrusted: 5 })

    const { identity } = await ann.call('keys show', {})
    expect((await bob.call('keys trust', { file: String(identity) })).error).toBeUndefined()
    expect((await bob.execute('team/greet')).data).toMatchObject({ data: 'hello from the bundle' })
    expect((await bob.call('verify', {})).counts).toMatchObject({ untrusted: 0, unsigned: 0, tampered: 0 })
  })

  it('never replaces a file of the project unless it is told to, and then all or none', async () => {
    const again = await call(bob, 'pull', { package: '@team/pack' })
    expect(again.data).toMatchObject({ written: [], unchanged: { length: 8 } })
    bob.write('.ai/tools/team/greet.py', '# mine\n')
    rmSync(join(bob.project, '.ai/tools/team/list.sh'))
    const refused = await call(bob, 'pull', { package: '@team/pack' })
    expect(refused.error).toContain('1 file of the project stands in its way')
    expect(refused.data).toMatchObject({ success: false, conflicts: ['.ai/tools/team/greet.py'] })
    expect(read(bob, '.ai/tools/team/greet.py').toString()).toBe('# mine\n')
    expect(() => read(bob, '.ai/tools/team/list.sh')).toThrow('ENOENT')

    bob.write('.ai/skills/tea/references/old.md', 'of an older version\n')
    expect((await call(bob, 'pull', { package: '@team/pack', overwrite: true })).data).toMatchObject({
      written: ['.ai/tools/team/greet.py', '.ai/tools/team/list.sh'],
      overwritten: ['.ai/tools/team/greet.py'],
      left_over: ['.ai/skills/tea/references/old.md'],
    })
    expect((await bob.execute('team/greet')).status).toBe('success')
  })

  it('refuses to pull beside a file of the same id, which one of the two would hide', async () => {
    rmSync(join(bob.project, '.ai/tools/team/greet.py'))
    bob.write('.ai/tools/team/greet.yaml', 'tool_type: yaml\n')
    const answer = await call(bob, 'pull', { package: '@team/pack', overwrite: true })
    expect(answer.data!.conflicts).toEqual(['.ai/tools/team/greet.py (there is .ai/tools/team/greet.yaml)'])
    expect(() => read(bob, '.ai/tools/team/greet.py')).toThrow('ENOENT')
    rmSync(join(bob.project, '.ai/tools/team/greet.yaml'))
  })

  it.each([
    ['inside of it', '.ai/skills/tea/green/SKILL.md'],
    ['in its place, in another case', '.ai/skills/tea/skill.md'],
  ])('refuses to pull a skill where there is one %s', async (_, path) => {
    rmSync(join(bob.project, '.ai/skills/tea'), { recursive: true })
    bob.write(path, '---\nname: mine\ndescription: Mine.\n---\n')
    const answer = await call(bob, 'pull', { package: '@team/pack', overwrite: true })
    expect(answer.data!.conflicts).toEqual([`.ai/skills/tea/SKILL.md (there is ${path})`])
    expect(() => read(bob, '.ai/skills/tea/SKILL.sig')).toThrow('ENOENT')
    rmSync(join(bob.project, path))
    expect((await call(bob, 'pull', { package: '@team/pack' })).error).toBeUndefined()
  })

  it('makes packages that npm installs, and pulls packages that npm made', async () => {
    const place = mkdtempSync(join(root, 'npm-'))
    writeFileSync(join(place, 'package.json'), '{"name": "consumer", "version": "1.0.0"}')
    await npm(place, ['install', '@team/pack@1.0.0', '--ignore-scripts', '--no-audit', '--no-fund'])
    for (const path of Object.keys(ITEMS)) {
      expect(readFileSync(join(place, 'node_modules/@team/pack', path)), path).toEqual(read(ann, path))
    }
    const lock = JSON.parse(readFileSync(join(place, 'package-lock.json'), 'utf8'))
    const shown = (await call(bob, 'show', { package: '@team/pack', version: '1.0.0' })).data!
    expect(lock.packages['node_modules/@team/pack'].integrity).toBe(shown.integrity)

    const path = '.ai/tools/team/greet.py'
    await npmPublish(
      { name: 'by-npm', version: '0.1.0', keywords: ['rye-bundle'], files: ['.ai', 'README.md'] },
      {
        [path]: read(ann, path),
        '.ai/config/evil.yaml': Buffer.from('x: 1\n'),
        'README.md': Buffer.from('# Hi\n'),
      },
    )
    const fresh = await openSession({ signing: true })
    await configure(fresh, registry.url)
    const pulled = await call(fresh, 'pull', { package: 'by-npm' })
    expect(pulled.data).toMatchObject({ written: [path] })
    expect(pulled.data!.ignored.sort()).toEqual([
      'package/.ai/config/evil.yaml',
      'package/README.md',
      'package/package.json',
    ])
    expect(() => read(fresh, '.ai/config/evil.yaml')).toThrow('ENOENT')
    await fresh.close()
  })

  it.each([
    ['an unsigned item', 'team/draft.py', () => 'x = 1\n'],
    ['a file beside an item', 'team/notes.txt', () => 'x\n'],
    ['a signature in a foreign comment', 'team/odd.sh', (line: string) => line.replace('#', '//')],
    ['an unsigned file with a sidecar that is not for it', 'team/odd.py', () => 'x = 1\n'],
  ])('does not publish %s', async (_, path, content) => {
    const line = `${read(ann, '.ai/tools/team/greet.py').toString().split('\n')[0]}\n`
    ann.write(`.ai/tools/${path}`, content(line))
    ann.write('.ai/tools/team/odd.py.sig', line)
    const items = [`tool:${path.replace(/\.\w+$/, '')}`]
    const answer = await call(ann, 'publish', { ...PACKAGE, version: '3.0.0', items })
    expect(answer.data!.problems, JSON.stringify(answer)).toContain(
      `.ai/tools/${path}: it is not signed: read it, then sign it`,
    )
    for (const file of [path, 'team/odd.py.sig']) rmSync(join(ann.project, '.ai/tools', file))
  })

  it('does not publish what was changed, keys, tokens, nor what is not an item', async () => {
    const publish = async (items: string[]) =>
      (await call(ann, 'publish', { ...PACKAGE, version: '3.0.0', items })).data!
    const kept = read(ann, '.ai/tools/team/greet.py')
    ann.write('.ai/tools/team/greet.py', Buffer.concat([kept, Buffer.from('# more\n')]))
    expect((await publish(['tool:team/greet'])).problems[0]).toContain('it was changed after it was signed')
    ann.write('.ai/tools/team/greet.py', kept)
    ann.write('.ai/skills/tea/more.md', 'more\n')
    expect((await publish(['skill:tea'])).problems[0]).toContain('it was changed after it was signed')
    ann.write('.ai/skills/tea/more.md', `-----BEGIN ${'PRIVATE'} KEY-----\n`)
    await sign(ann, 'skill:tea')
    expect((await publish(['skill:tea'])).problems).toEqual([
      '.ai/skills/tea/more.md: it holds what looks like a key or a token',
    ])
    ann.write('.ai/skills/tea/more.md', `token: ${registry.token}\n`)
    await sign(ann, 'skill:tea')
    const leaked = await publish(['skill:tea'])
    expect(leaked.problems[0]).toContain('a key or a token')
    ann.write('.ai/skills/tea/.env', 'A=1\n')
    rmSync(join(ann.project, '.ai/skills/tea/more.md'))
    await sign(ann, 'skill:tea')
    expect((await publish(['skill:tea'])).problems).toEqual([expect.stringContaining('.ai/skills/tea/.env')])
    for (const item of [
      'config:rye/registry',
      'team/greet',
      'tool:../config/rye/registry',
      'tool:none',
      'tool:',
    ]) {
      expect((await publish([item])).error, item).toMatch(/expected TYPE:ID|in this project/)
    }
  })

  it('says what is missing: a token, a configured registry, a parameter', async () => {
    const { error } = await call(bob, 'publish', { ...PACKAGE, version: '4.0.0', items: ['tool:team/list'] })
    expect(error).toContain('set NPM_TOKEN')
    const elsewhere = {
      ...PACKAGE,
      version: '4.0.0',
      items: ['tool:team/list'],
      registry: 'https://registry.example/',
    }
    expect((await call(ann, 'publish', elsewhere)).error).toContain('is not the configured registry')
    expect((await call(bob, 'pull')).error).toContain('`package` is required')
    expect(
      (await call(bob, 'search', { registry: registry.url.replace('127.0.0.1', 'localhost') })).error,
    ).toContain('expected a URL that begins with https://')
    const forged = { package: 'x', resolved_config: { registry: 'http://127.0.0.1:1/', allow_private: true } }
    expect((await call(bob, 'pull', forged)).code).toBe('PARAMETERS_INVALID')
    for (const name of ['../x', 'A', '@a', '@a/b/c', 'a b', '.x', 'a%2fb', '']) {
      expect((await call(bob, 'pull', { package: name })).error, name).toContain('expected a package such as')
    }
  })

  it('obeys the settings only when they are signed', async () => {
    const stranger = await openSession({ signing: true })
    stranger.write('.ai/config/rye/registry.yaml', registrySettings(registry.url))
    expect((await call(stranger, 'search')).code).toBe('ITEM_UNSIGNED')
    await stranger.close()
  })
})

function npm(cwd: string, args: string[]) {
  const options = [
    '--registry',
    registry.url,
    `--//${new URL(registry.url).host}/:_authToken=${registry.token}`,
  ]
  const env = { PATH: process.env.PATH, HOME: root, npm_config_cache: join(root, 'npm-cache') }
  return run('npm', [...args, ...options], { cwd, env })
}

async function npmPublish(manifest: object, files: Record<string, Uint8Array>): Promise<void> {
  const place = mkdtempSync(join(root, 'package-'))
  writeFileSync(join(place, 'package.json'), JSON.stringify(manifest))
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(place, path)), { recursive: true })
    writeFileSync(join(place, path), content)
  }
  await npm(place, ['publish'])
}
