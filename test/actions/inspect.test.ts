// The actions that inspect a library: list, show, index.
import { rmSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Answer, knowledge, scratch, skill, tool } from '../workspace/scratch.ts'

describe('list', () => {
  it('lists the items of all spaces with what shadows what', async () => {
    const made = await scratch({
      '.ai/tools/ops/deploy.py': tool('ops/deploy'),
      'user:.ai/tools/ops/deploy.py': tool('ops/deploy'),
      '.ai/skills/pdf/SKILL.md': skill('pdf'),
      '.ai/tools/ops/deploy.yaml': 'version: "1.0.0"\n',
    })
    const { items, diagnostics } = await made.run('list')
    expect(items.filter((item: Answer) => item.space !== 'system')).toEqual([
      {
        item_type: 'skill',
        item_id: 'pdf',
        space: 'project',
        category: '',
        path: made.path('.ai/skills/pdf/SKILL.md'),
      },
      {
        item_type: 'tool',
        item_id: 'ops/deploy',
        space: 'project',
        category: 'ops',
        path: made.path('.ai/tools/ops/deploy.py'),
        shadows: [{ space: 'user' }],
      },
      {
        item_type: 'tool',
        item_id: 'ops/deploy',
        space: 'user',
        category: 'ops',
        path: made.path('user:.ai/tools/ops/deploy.py'),
        shadowed_by: 'project',
      },
    ])
    expect(diagnostics).toContainEqual(
      expect.objectContaining({ code: 'duplicate-id', path: made.path('.ai/tools/ops/deploy.yaml') }),
    )
  })

  it('narrows by pattern, type and space', async () => {
    const made = await scratch({
      '.ai/tools/ops/a.py': tool('ops/a'),
      '.ai/knowledge/ops/b.md': knowledge('ops/b'),
    })
    const ids = async (input: object) =>
      (await made.run('list', input)).items.map((item: Answer) => item.item_id)
    expect(await ids({ source: 'project', pattern: 'ops/*' })).toEqual(['ops/b', 'ops/a'])
    expect(await ids({ source: 'project', item_type: 'tool' })).toEqual(['ops/a'])
    expect(await ids({ source: 'user' })).toEqual([])
    expect(await ids({ pattern: 'nothing*' })).toEqual([])
  })
})

describe('show with content', () => {
  it('answers with the text of an item that nobody signed', async () => {
    const made = await scratch({ '.ai/tools/a.py': tool('a') })
    expect(await made.run('show', { item_id: 'a' })).not.toHaveProperty('content')
    const { content } = await made.run('show', { item_id: 'a', content: true })
    const text = tool('a')
    expect(content).toEqual({
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      files: [{ path: 'a.py', size: text.length, text }],
      needs: expect.objectContaining({ network: [], write: [], secrets: [] }),
    })
  })

  it('answers with every file of a skill, and leaves out what is no text', async () => {
    const made = await scratch({ '.ai/skills/pdf/SKILL.md': skill('pdf'), '.ai/skills/pdf/logo.png': 'x\0y' })
    const { content } = await made.run('show', { item_id: 'skill:pdf', content: true })
    expect(content.files).toEqual([
      { path: 'SKILL.md', size: skill('pdf').length, text: skill('pdf') },
      { path: 'logo.png', size: 3 },
    ])
  })

  it('sets what was last signed beside what has become of it', async () => {
    const made = await scratch({ '.ai/tools/a.py': tool('a') })
    await made.run('sign', { item_id: 'a' })
    const signed = made.read('.ai/tools/a.py')
    const added = '\nCONFIG = {"permissions": {"network": ["a.example"]}}\n'
    writeFileSync(made.path('.ai/tools/a.py'), `${signed}${added}`)
    const { content, trust } = await made.run('show', { item_id: 'a', content: true })
    expect(trust.status).toBe('tampered')
    expect(content.last_signed.files).toEqual({ 'a.py': signed })
    expect(content.files[0].text).toBe(`${signed}${added}`)
    expect([content.last_signed.needs.network, content.needs.network]).toEqual([[], ['a.example']])
  })
})

describe('show', () => {
  it('shows an item that may not be used, with what is wrong with it', async () => {
    const made = await scratch({ '.ai/tools/a.py': '__version__ = "one"\n' })
    expect(await made.run('show', { item_id: 'a' })).toMatchObject({
      item_type: 'tool',
      item_id: 'a',
      space: 'project',
      path: made.path('.ai/tools/a.py'),
      parser: 'python/ast',
      trust: { status: 'unsigned' },
      shadows: [],
      metadata: { version: 'one', name: 'a' },
      issues: expect.arrayContaining(["Field 'version' must be semver format (X.Y.Z), got 'one'"]),
      diagnostics: [],
    })
  })

  it('tells of a skill what signing and a scan tell', async () => {
    const made = await scratch({
      '.ai/skills/team/kit/SKILL.md': '---\nname: other\nmetadata:\n  description: Does it\n---\n# A\n',
      '.ai/skills/team/kit/references/a.md': '---\nfor_tools: [hammer.hit, kit.run, kit.gone]\n---\n# A\n',
      '.ai/skills/team/kit/scripts/a.py': '@skill_command\ndef run(): pass\n',
      '.ai/skills/team/kit/extensions/sniffer/rules.toml': '[[match]]\ntype = "x"\npattern = "y"\n',
      '.ai/skills/hammer/SKILL.md': '---\nname: hammer\ndescription: Hits\n---\n# A\n',
      '.ai/skills/hammer/scripts/a.py': '@skill_command\ndef hit(): pass\n',
    })
    const { diagnostics } = await made.run('show', { item_id: 'skill:team/kit' })
    const shown = diagnostics.map(
      (one: Answer) => `${one.path}: line ${one.line}, column ${one.column}: ${one.message}`,
    )
    expect(diagnostics.map((one: Answer) => `${one.path}:${one.line} ${one.code}`)).toEqual([
      'SKILL.md:2 name-mismatch',
      'SKILL.md:4 description-nested',
      'extensions/sniffer/rules.toml:2 sniffer-rule',
      'references/a.md:2 tool-unknown',
    ])
    const { warnings } = await made.run('sign', { item_id: 'skill:team/kit' })
    expect(warnings).toEqual(shown)
  })

  it('shows settings, which are signed like items, under their own name', async () => {
    const made = await scratch({ '.ai/config/demo/thing.yaml': 'version: "1.0.0"\ncategory: demo\n' })
    const item_id = 'config:demo/thing@project'
    expect(await made.run('show', { item_id, content: true })).toMatchObject({
      item_type: 'config',
      item_id: 'demo/thing',
      trust: { status: 'unsigned' },
      content: { files: [{ path: 'thing.yaml' }] },
    })
    expect(await made.run('review', { item_id })).toMatchObject({ item: 'config:demo/thing' })
    expect(await made.run('show', { item_id: 'config:demo/none' })).toMatchObject({ status: 'error' })
    expect(await made.run('show', { item_id: 'demo/thing' })).toMatchObject({ status: 'error' })
  })

  it('reaches a shadowed item, and says by what it is shadowed', async () => {
    const made = await scratch({ '.ai/tools/a.py': tool('a'), 'user:.ai/tools/a.py': tool('a') })
    expect(await made.run('show', { item_id: 'tool:a@user' })).toMatchObject({
      space: 'user',
      shadowed_by: 'project',
    })
    expect(await made.run('show', { item_id: 'a' })).toMatchObject({ shadows: [{ space: 'user' }] })
    expect(await made.run('show', { item_id: 'aa' })).toMatchObject({ hint: 'did you mean `a`?' })
  })
})

describe('index', () => {
  it('counts what it did, and does nothing twice', async () => {
    const made = await scratch({ '.ai/tools/a.py': tool('a'), '.ai/knowledge/b.md': knowledge('b') })
    const first = await made.run('index')
    expect(Object.keys(first)).toEqual([
      'items',
      'added',
      'updated',
      'deleted',
      'unchanged',
      'duration_ms',
      'diagnostics',
    ])
    expect(first.items).toBe(first.added + first.unchanged)
    expect(first).toMatchObject({ updated: 0, deleted: 0 })
    expect(await made.run('index')).toMatchObject({
      items: first.items,
      added: 0,
      updated: 0,
      unchanged: first.items,
    })

    made.write('.ai/tools/a.py', tool('a', { description: 'changed' }))
    made.write('.ai/tools/c.py', tool('c'))
    rmSync(made.path('.ai/knowledge/b.md'))
    expect(await made.run('index')).toMatchObject({ added: 1, updated: 1, deleted: 1, items: first.items })
    expect(await made.run('index', { rebuild: true })).toMatchObject({ added: first.items, unchanged: 0 })
  })

  it('says what it passed over, of the package nothing', async () => {
    const made = await scratch({
      '.ai/tools/a.exe': 'x',
      '.ai/tools/a.py': tool('a'),
      '.ai/tools/a.sh': '#\n',
    })
    const { diagnostics } = await made.run('index')
    expect(diagnostics).toEqual([
      expect.objectContaining({ path: made.path('.ai/tools/a.exe'), code: 'not-an-item' }),
      expect.objectContaining({ path: made.path('.ai/tools/a.sh'), code: 'duplicate-id' }),
    ])
  })
})
