// Extractors as data: what a space may override, when an override is believed, and what it affects.
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Answer, type Scratch, scratch } from '../workspace/scratch.ts'

const ID = 'rye/core/extractors/knowledge/knowledge_extractor'
const FILE = `.ai/tools/${ID}.yaml`

/** The package's own, with an extension more. */
function withExtension(made: Scratch, extension: string): string {
  const text = readFileSync(join(made.library.systemRoot, 'tools', `${ID}.yaml`), 'utf8')
  return text
    .replace(/^extensions: \[(.*)\]$/m, `extensions: [$1, ${extension}]`)
    .replace(/^parsers:\n/m, `parsers:\n  ${extension}: markdown/frontmatter\n`)
    .replace(
      /^signature_formats:\n/m,
      `signature_formats:\n  ${extension}: { prefix: "<!--", suffix: "-->" }\n`,
    )
}

const NOTE = '---\nname: a\ntitle: A\nentry_type: reference\ncategory: ""\nversion: "1.0.0"\n---\n\nwombat\n'

async function found(made: Scratch, project = made.project): Promise<string[]> {
  const { results } = await made.run('search', { query: 'wombat', project_path: project })
  return results.map((result: Answer) => result.id)
}

describe('an override of an extractor', () => {
  it('adds an extension by data alone, once it is signed', async () => {
    const made = await scratch({ '.ai/knowledge/a.note': NOTE })
    expect(await found(made)).toEqual([])
    made.write(FILE, withExtension(made, '.note'))
    expect(await found(made)).toEqual([])
    const listed = await made.run('list', { source: 'project' })
    expect(listed.diagnostics).toContainEqual(
      expect.objectContaining({
        code: 'extractor-ignored',
        path: made.path(FILE),
        message: expect.stringContaining('the knowledge extractor is ignored: it is unsigned'),
      }),
    )

    await made.sign(`tool:${ID}`)
    expect(await found(made)).toEqual(['a'])
    await made.sign('knowledge:a')
    expect(await made.run('load', { item_id: 'a' })).toMatchObject({ metadata: { extension: '.note' } })
    expect(await made.run('execute', { item_id: 'a' })).toMatchObject({
      content: expect.stringContaining('wombat'),
    })

    made.write(FILE, `${made.read(FILE)}# changed\n`)
    expect(await found(made)).toEqual([])
    expect(await made.run('load', { item_id: 'a' })).toMatchObject({ code: 'ITEM_NOT_FOUND' })
  })

  it('of one project does not reach another of the same process, nor the user’s items', async () => {
    const made = await scratch({ '.ai/knowledge/a.note': NOTE, 'user:.ai/knowledge/b.note': NOTE })
    made.write(FILE, withExtension(made, '.note'))
    await made.sign(`tool:${ID}`)
    const other = join(made.root, 'other')
    mkdirSync(other)
    made.write('../other/.ai/knowledge/c.note', NOTE)
    const [own, others] = await Promise.all([found(made), found(made, other)])
    expect({ own, others }).toEqual({ own: ['a'], others: [] })
    expect(await found(made)).toEqual(['a'])
  })

  it('of the user reaches every project', async () => {
    const made = await scratch({ '.ai/knowledge/a.note': NOTE })
    made.write(`user:${FILE}`, withExtension(made, '.note'))
    await made.sign(`tool:${ID}`, { source: 'user' })
    expect(await found(made)).toEqual(['a'])
  })

  it('of a home that is the project reaches what it does from elsewhere', async () => {
    const made = await scratch({ 'user:.ai/knowledge/a.note': NOTE })
    made.write(`user:${FILE}`, withExtension(made, '.note'))
    await made.sign(`tool:${ID}`, { source: 'user' })
    for (const project of [made.user, made.project]) expect(await found(made, project)).toEqual(['a'])
    const home = await made.run('index', { project_path: made.user })
    expect(home).toMatchObject({ added: 0, updated: 0, deleted: 0 })
  })

  it.each([
    ['nonsense', 'extensions: 7\n'],
    ['a parser that is not there', 'extensions: [.x]\nparser: evil/code\n'],
    ['too much', `# ${'x'.repeat(300_000)}\n`],
  ])('that holds %s closes nothing', async (_title, body) => {
    const made = await scratch({ '.ai/knowledge/a.md': NOTE })
    const head = `version: "1.0.0"\ntool_type: extractor\nexecutor_id: null\ncategory: rye/core/extractors/knowledge\ndescription: x\n`
    made.write(FILE, head + body)
    await made.run('sign', { item_id: `tool:${ID}` })
    expect(await found(made)).toEqual(['a'])
    const { diagnostics } = await made.run('list')
    expect(diagnostics).toContainEqual(expect.objectContaining({ code: 'extractor-invalid' }))
  })
})
