// The Skills extension as a client sees it, over real folders and real signatures.
import { createHash } from 'node:crypto'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { Client } from '@modelcontextprotocol/client'
import { type Skill, SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { InMemoryTransport } from '@modelcontextprotocol/server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createServerFactory } from '../../../src/surfaces/mcp/server.ts'
import { listSkills, type SkillPage } from '../../../src/surfaces/mcp/skill-catalogue.ts'
import { tries } from '../../fixtures/tries.ts'
import { type Scratch, scratch, skill } from '../../workspace/scratch.ts'

const PDF = {
  '.ai/skills/pdf/SKILL.md': skill('pdf', 'Read and write PDF files'),
  '.ai/skills/pdf/scripts/read.py': 'print(1)\n',
  '.ai/skills/pdf/references/a b.md': '# Ünicode\n',
}

async function connect(made: Scratch, project: string | undefined = made.project) {
  const faults: unknown[] = []
  const factory = await createServerFactory({
    library: async () => made.library,
    version: '0.0.0',
    profile: 'four',
    defaultProject: project === '' ? undefined : project,
    onError: fault => faults.push(fault),
  })
  const [near, far] = InMemoryTransport.createLinkedPair()
  const client = new Client({ name: 'test', version: '1' })
  await factory().connect(far)
  // Two copies of one class, one in each package of the SDK.
  await client.connect(near as Parameters<Client['connect']>[0])
  onTestFinished(() => client.close())
  onTestFinished(() => expect(faults).toEqual([]))
  return { client, skills: new SkillsClient(client) }
}

async function withPdf() {
  const made = await scratch(PDF)
  await made.sign('pdf', { item_type: 'skill' })
  return { made, ...(await connect(made)) }
}

const uris = (entries: readonly Skill[]) => entries.map(entry => entry.uri)
const trustOf = (entry: Skill) => entry._meta?.['dev.ryekit/trust'] as Record<string, unknown>

describe('a listing of skills', () => {
  it('holds each verified skill with the digest and the size of every file', async () => {
    const { made, skills } = await withPdf()
    const { skills: entries } = await skills.list()
    expect(uris(entries)).toEqual(['skill://pdf/SKILL.md'])
    expect(entries[0]!.frontmatter).toEqual({ name: 'pdf', description: 'Read and write PDF files' })
    const paths = ['SKILL.md', 'SKILL.sig', 'references/a b.md', 'scripts/read.py']
    expect(entries[0]!.resources).toEqual(
      paths.map(path => {
        const bytes = Buffer.from(made.read(`.ai/skills/pdf/${path}`))
        return {
          uri: `skill://pdf/${path.replace(' ', '%20')}`,
          digest: `sha256:${createHash('sha256').update(bytes).digest('hex')}`,
          size: bytes.length,
        }
      }),
    )
  })

  it('carries the verdict and the signature of each skill under our own key', async () => {
    const { made, skills } = await withPdf()
    const trust = trustOf((await skills.list()).skills[0]!)
    const [line, ...manifest] = made.read('.ai/skills/pdf/SKILL.sig').split('\n')
    expect(trust).toEqual({
      item_id: 'pdf',
      space: 'project',
      shadows: [],
      status: 'verified',
      format: 'v2',
      coverage: 'full',
      hash: createHash('sha256').update(manifest.join('\n')).digest('hex'),
      signer: expect.stringMatching(/^[0-9a-f]{16}$/),
      timestamp: expect.any(String),
      signature: line,
    })
  })

  it('leaves out what is not verified or not readable by every client, and says so', async () => {
    const { made, client, skills } = await withPdf()
    for (const name of ['changed', 'extended', 'linked', 'crowded', 'lists']) {
      const extra = name === 'lists' ? 'metadata:\n  tags: [a, b]\n' : ''
      made.write(`.ai/skills/${name}/SKILL.md`, skill(name).replace('---\n\n', `${extra}---\n\n`))
    }
    for (let i = 0; i < 512; i++) made.write(`.ai/skills/crowded/f${i}`, '')
    await made.sign('*', { item_type: 'skill', reviewed: true })
    made.write('.ai/skills/unsigned/SKILL.md', skill('unsigned'))
    made.write('.ai/skills/changed/SKILL.md', `${skill('changed')}more`)
    made.write('.ai/skills/extended/extra.txt', 'x')
    symlinkSync('/etc/passwd', made.path('.ai/skills/linked/passwd'))
    const served = ['linked', 'lists', 'pdf'].map(name => `skill://${name}/SKILL.md`)
    expect(uris((await skills.list()).skills)).toEqual(served)
    const page = await client.request({ method: 'resources/list' })
    expect(page._meta?.['dev.ryekit/omitted']).toEqual([
      { item_id: 'changed', space: 'project', shadows: [], code: 'ITEM_TAMPERED' },
      { item_id: 'crowded', space: 'project', shadows: [], code: 'FILE_TOO_LARGE' },
      { item_id: 'extended', space: 'project', shadows: [], code: 'ITEM_TAMPERED' },
      { item_id: 'unsigned', space: 'project', shadows: [], code: 'ITEM_UNSIGNED' },
    ])
    for (const name of ['changed', 'extended', 'unsigned']) {
      await expect(skills.get(`skill://${name}/SKILL.md`), name).rejects.toMatchObject({ code: -32602 })
      const uri = `skill://${name}/SKILL.md`
      await expect(client.readResource({ uri }), name).rejects.toMatchObject({ code: -32602 })
    }
    await expect(skills.get('skill://changed/SKILL.md')).rejects.toThrow(
      /was changed after it was signed.*`sign` with `{"item_id":"skill:changed"}`/,
    )
    await expect(client.readResource({ uri: 'skill://linked/passwd' })).rejects.toMatchObject({
      code: -32602,
    })
  })

  it('holds what clients would not take as it is written, in a form that they take', async () => {
    const made = await scratch({
      '.ai/skills/colons/SKILL.md': '---\nname: colons\ndescription: Use this: now\n---\n# A\n',
      '.ai/skills/folder/SKILL.md': '---\nname: Other Name\ndescription: x\n---\n',
      '.ai/skills/lower/skill.md': '---\nname: lower\ndescription: x\n---\n',
      '.ai/skills/none/SKILL.md': '# None\n\nSays nothing of itself.\n',
      '.ai/skills/quotes/SKILL.md': '---\nname: quotes\ndescription: "one\n  two"\n---\n',
      '.ai/skills/typed/SKILL.md':
        '---\nname: typed\ndescription: x\nmetadata:\n  tags: [a, b]\n  "n: 1": {deep: [1]}\nhooks: {a: [null, 1.5]}\n---\n',
    })
    await made.sign('*', { item_type: 'skill', reviewed: true })
    const { skills } = await connect(made)
    const { skills: entries } = await skills.list()
    const shown = entries.map(entry => [entry.frontmatter.name, entry.frontmatter.description])
    expect(shown).toEqual([
      ['colons', 'Use this: now'],
      ['folder', 'x'],
      ['lower', 'x'],
      ['none', 'Says nothing of itself.'],
      ['quotes', 'one two'],
      ['typed', 'x'],
    ])
    expect(entries[5]!.frontmatter.metadata).toEqual({ tags: 'a, b', 'n: 1': '{"deep":[1]}' })
    expect(entries[5]!.frontmatter.hooks).toEqual({ a: [null, 1.5] })
    expect(entries.map(entry => trustOf(entry).adapted)).toEqual([
      [],
      ['name'],
      [],
      ['name', 'description'],
      [],
      ['metadata'],
    ])
    // The client compares digest and front matter of each file with its entry.
    for (const entry of entries) expect((await skills.read(entry)).verified).toBe(true)
    expect((await skills.read(entries[0]!)).text).toContain('# A\n')
  })

  it('serves nothing unsigned in development mode either', async () => {
    const made = await scratch(PDF, { environment: { RYE_DEV_MODE: '1' } })
    const { skills } = await connect(made)
    expect((await skills.list()).skills).toEqual([])
    await expect(skills.get('skill://pdf/SKILL.md')).rejects.toThrow('is not signed')
  })

  it('says what a skill shadows, and does not fall through to it', async () => {
    const { made, client, skills } = await withPdf()
    made.write('user:.ai/skills/pdf/SKILL.md', skill('pdf', "The user's own"))
    await made.sign('pdf', { item_type: 'skill', source: 'user' })
    const { skills: entries } = await skills.list()
    expect(entries).toHaveLength(1)
    expect(trustOf(entries[0]!)).toMatchObject({ space: 'project', shadows: ['user'] })
    made.write('.ai/skills/pdf/scripts/read.py', 'print(2)\n')
    const page = await client.request({ method: 'resources/list' })
    expect(page).toMatchObject({
      resources: [],
      _meta: { 'dev.ryekit/omitted': [{ item_id: 'pdf', space: 'project', shadows: ['user'] }] },
    })
    await expect(skills.get('skill://pdf/SKILL.md')).rejects.toThrow('was changed')
    rmSync(made.path('.ai/skills/pdf'), { recursive: true })
    expect(trustOf((await skills.get('skill://pdf/SKILL.md')).skill)).toMatchObject({
      space: 'user',
      shadows: [],
    })
  })

  it('comes in pages that count what is served, of bounded cost, and together hold every skill once', async () => {
    const made = await scratch()
    const names = Array.from({ length: 14 }, (_, i) => `s${String(i).padStart(2, '0')}`)
    for (const name of names) made.write(`.ai/skills/${name}/SKILL.md`, skill(name))
    await made.sign('*', { item_type: 'skill', reviewed: true })
    // The first page looks at five and finds none that may be served.
    for (const name of names.slice(0, 5)) rmSync(made.path(`.ai/skills/${name}/SKILL.sig`))
    const view = await made.library.open(made.project)
    const size = { served: 3, looked: 5, bytes: 1_000_000 }
    const { signal } = new AbortController()
    const pages: string[][] = []
    let cursor: string | undefined
    do {
      const page: SkillPage = await listSkills(view, cursor, signal, { page: size })
      pages.push(page.skills.map(entry => entry.frontmatter.name))
      cursor = page.nextCursor
    } while (cursor !== undefined)
    expect(pages).toEqual([[], names.slice(5, 8), names.slice(8, 11), names.slice(11)])
    const { skills } = await connect(made)
    expect((await skills.list()).skills).toHaveLength(9)
    await expect(skills.list({ cursor: '!' })).rejects.toMatchObject({ code: -32602 })
    await expect(skills.list({ cursor: 'Li4v' })).rejects.toMatchObject({ code: -32602 })
  })

  it('holds the skills of the user and none of a project where there is no project', async () => {
    const made = await scratch(PDF)
    await made.sign('pdf', { item_type: 'skill' })
    made.write('user:.ai/skills/own/SKILL.md', skill('own'))
    await made.sign('own', { item_type: 'skill', source: 'user' })
    const { skills } = await connect(made, '')
    expect(uris((await skills.list()).skills)).toEqual(['skill://own/SKILL.md'])
    await expect(skills.get('skill://pdf/SKILL.md')).rejects.toMatchObject({ code: -32602 })
  })
})

describe('a skill', () => {
  it('is got by the address of its SKILL.md alone, in a category too', async () => {
    const made = await scratch({ '.ai/skills/team/pdf/SKILL.md': skill('pdf') })
    await made.sign('team/pdf', { item_type: 'skill' })
    const { skills } = await connect(made)
    const { skill: entry } = await skills.get('skill://team/pdf/SKILL.md')
    expect(entry).toEqual((await skills.list()).skills[0])
    expect(trustOf(entry).item_id).toBe('team/pdf')
    for (const uri of [
      'skill://team/pdf',
      'skill://team/SKILL.md',
      'skill://team/pdf/SKILL.sig',
      'skill://pdf/SKILL.md',
    ])
      await expect(skills.get(uri), uri).rejects.toMatchObject({ code: -32602 })
  })

  it('that lies inside another is a part of it, and not served a second time', async () => {
    const made = await scratch({
      '.ai/skills/a/b/SKILL.md': skill('b'),
      '.claude/skills/a/SKILL.md': skill('a'),
    })
    await made.sign('a/b', { item_type: 'skill' })
    await made.sign('a', { item_type: 'skill' })
    const { skills } = await connect(made)
    expect(uris((await skills.list()).skills)).toEqual(['skill://a/SKILL.md'])
    await expect(skills.get('skill://a/b/SKILL.md')).rejects.toMatchObject({ code: -32602 })
  })

  it('gives each of its files as the bytes that were verified, text or not', async () => {
    const { made, client, skills } = await withPdf()
    const binary = Uint8Array.from({ length: 256 }, (_, i) => i)
    made.write('.ai/skills/pdf/assets/logo.png', binary)
    made.write('.ai/skills/pdf/assets/bom.txt', '\ufefftext')
    await made.sign('pdf', { item_type: 'skill' })
    const { skill: entry } = await skills.get('skill://pdf/SKILL.md')
    expect(entry.resources).toHaveLength(6)
    for (const file of entry.resources as { uri: string }[]) {
      // The client checks digest, size and front matter.
      expect((await skills.read(entry, file.uri)).verified, file.uri).toBe(true)
    }
    expect(Buffer.from((await skills.read(entry, 'assets/logo.png')).bytes)).toEqual(Buffer.from(binary))
    expect(await client.readResource({ uri: 'skill://pdf/assets/logo.png' })).toMatchObject({
      contents: [{ mimeType: 'image/png', blob: Buffer.from(binary).toString('base64') }],
    })
    expect(await client.readResource({ uri: 'skill://pdf/SKILL.md' })).toMatchObject({
      contents: [
        {
          uri: 'skill://pdf/SKILL.md',
          mimeType: 'text/markdown',
          text: PDF['.ai/skills/pdf/SKILL.md'],
          _meta: { 'dev.ryekit/trust': { status: 'verified' } },
        },
      ],
    })
  })

  it('shows its folders one level at a time', async () => {
    const { skills } = await withPdf()
    const root = await skills.readDirectory('skill://pdf')
    expect(root.resources).toEqual([
      { uri: 'skill://pdf/SKILL.md', name: 'SKILL.md', mimeType: 'text/markdown', size: expect.any(Number) },
      { uri: 'skill://pdf/SKILL.sig', name: 'SKILL.sig', size: expect.any(Number) },
      { uri: 'skill://pdf/references', name: 'references', mimeType: 'inode/directory' },
      { uri: 'skill://pdf/scripts', name: 'scripts', mimeType: 'inode/directory' },
    ])
    const { resources } = await skills.readDirectory('skill://pdf/references')
    expect(resources).toEqual([
      { uri: 'skill://pdf/references/a%20b.md', name: 'a b.md', mimeType: 'text/markdown', size: 11 },
    ])
    for (const uri of ['skill://pdf/SKILL.md', 'skill://pdf/none', 'skill://none', 'skill://', 'file:///etc'])
      await expect(skills.readDirectory(uri), uri).rejects.toMatchObject({ code: -32602 })
  })

  it('is read anew for every call', async () => {
    const { made, client } = await withPdf()
    const uri = 'skill://pdf/scripts/read.py'
    expect(await client.readResource({ uri })).toMatchObject({ contents: [{ text: 'print(1)\n' }] })
    made.write('.ai/skills/pdf/scripts/read.py', 'print(2)\n')
    await expect(client.readResource({ uri })).rejects.toThrow('was changed after it was signed')
    await made.sign('pdf', { item_type: 'skill' })
    expect(await client.readResource({ uri })).toMatchObject({ contents: [{ text: 'print(2)\n' }] })
  })

  it('with thousands of files is refused, and the others are served', async () => {
    const { made, skills } = await withPdf()
    mkdirSync(made.path('.ai/skills/huge/assets'), { recursive: true })
    made.write('.ai/skills/huge/SKILL.md', skill('huge'))
    for (let i = 0; i < tries({ usual: 2_000, torture: 10_000 }); i++)
      writeFileSync(made.path(`.ai/skills/huge/assets/${i}.txt`), '')
    await made.sign('huge', { item_type: 'skill' })
    expect(uris((await skills.list()).skills)).toEqual(['skill://pdf/SKILL.md'])
    await expect(skills.get('skill://huge/SKILL.md')).rejects.toThrow('expected at most 512 files')
  })
})

describe('a hostile address', () => {
  it.each([
    'skill://../../etc/passwd',
    'skill://pdf/../../../../../etc/passwd',
    'skill://pdf/%2e%2e/%2e%2e/%2e%2e/etc/passwd',
    'skill://pdf/..%2f..%2f..%2fetc%2fpasswd',
    'skill://%2e%2e/SKILL.md',
    'skill://pdf%2fscripts/read.py',
    'skill://pdf/SKILL.md%00',
    'skill://pdf/__proto__',
    'skill://__proto__/SKILL.md',
    'skill://pdf/scripts',
    'skill://pdf',
    'skill://',
    'file:///etc/passwd',
    `skill://${'a/'.repeat(5000)}SKILL.md`,
    'no address',
  ])('%s reads nothing', async uri => {
    const { client, skills } = await withPdf()
    await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32602 })
    await expect(skills.get(uri)).rejects.toMatchObject({ code: -32602 })
  })

  it('of another type than text is refused', async () => {
    const { client } = await withPdf()
    for (const method of ['skills/get', 'resources/directory/read'])
      for (const params of [{}, { uri: 5 }, { uri: 'skill://pdf', cursor: 5 }])
        await expect(
          client.request(
            { method, params },
            { '~standard': { version: 1, vendor: 'test', validate: value => ({ value }) } },
          ),
        ).rejects.toMatchObject({ code: -32602 })
  })
})
