import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { readKnowledge } from '../../../../src/skills/read/documents/read-knowledge.ts'

const read = (text: string, path = 'docs/some-note_here.md') =>
  readKnowledge(path, new TextEncoder().encode(text))

describe('knowledge', () => {
  it('has every field of an entry', async () => {
    const text =
      '---\ntitle: A title\ndescription: What it is\ncategory: Arch\ntags: [a, b]\nauthors: [Ada]\nsource: https://x\nversion: 1.10\n---\n# Heading\n\nText\n'
    const { entry, diagnostics } = await read(text)
    expect(entry).toEqual({
      id: createHash('sha256').update('docs/some-note_here.md').digest('hex').slice(0, 32),
      file_path: 'docs/some-note_here.md',
      title: 'A title',
      description: 'What it is',
      category: 'architecture',
      tags: ['a', 'b'],
      authors: ['Ada'],
      source: 'https://x',
      version: '1.10',
      file_hash: createHash('sha256').update(text).digest('hex'),
      content_preview: '# Heading\n\nText',
    })
    expect(diagnostics).toEqual([])
  })

  it.each([
    ['debug', 'debugging'],
    ['err', 'error'],
    ['Notes', 'note'],
    ['pattern', 'pattern'],
    ['ref', 'reference'],
    ['techniques', 'technique'],
    ['workflow', 'workflow'],
    ['solutions', 'solution'],
    ['unknown', 'unknown'],
  ])('reads the category %s as %s', async (word, category) => {
    const { entry, diagnostics } = await read(`---\ncategory: ${word}\n---\n`)
    expect([entry!.category, diagnostics.length]).toEqual([category, 0])
  })

  it('reports a category that there is not', async () => {
    const { entry, diagnostics } = await read('---\ntitle: x\ncategory: poem\n---\n')
    expect(entry!.category).toBe('unknown')
    expect(diagnostics.map(found => `${found.line} ${found.code}`)).toEqual(['3 category-unknown'])
  })

  it('takes the title from the first heading, then from the name of the file', async () => {
    expect((await read('Text\n\n## Part\n')).entry!.title).toBe('Part')
    expect((await read('Only text')).entry!.title).toBe('some note here')
  })

  it('keeps a document whose front matter is broken', async () => {
    const { entry, diagnostics } = await read('---\ntitle: [x\n---\n# Kept\n')
    expect(entry!.title).toBe('Kept')
    expect(diagnostics.map(found => found.code)).toEqual(['yaml-repaired'])
  })

  it('cuts the preview after ten lines and between characters', async () => {
    const { entry } = await read(`${'line\n'.repeat(20)}`)
    expect(entry!.content_preview.split('\n')).toHaveLength(10)
    expect([...(await read('😀'.repeat(600))).entry!.content_preview]).toHaveLength(500)
  })

  it('reads the yaml fence of a knowledge item', async () => {
    const { entry } = await read('# T\n\n```yaml\ntitle: Fenced\ncategory: note\n```\n\nText\n')
    expect([entry!.title, entry!.category]).toEqual(['Fenced', 'note'])
  })

  it('refuses bytes that are no text', async () => {
    const { entry, diagnostics } = await readKnowledge('a.md', new Uint8Array([0xff, 0xfe]))
    expect([entry, diagnostics.map(found => found.code)]).toEqual([undefined, ['utf8-invalid']])
  })
})
