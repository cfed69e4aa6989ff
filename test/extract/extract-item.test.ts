import { describe, expect, it } from 'vitest'
import { extractItem } from '../../src/extract/extract-item.ts'
import { readExtractor } from '../../src/extract/read-extractor.ts'
import { systemExtractor } from './system-extractors.ts'

const bytes = (text: string) => Buffer.from(text)

function withRules(extraction_rules: unknown) {
  const { extractor } = readExtractor('tool', {
    version: '1.0.0',
    extensions: ['.yaml'],
    parser: 'yaml/yaml',
    signature_format: { prefix: '#' },
    extraction_rules,
  })
  return async (text: string) =>
    (await extractItem(extractor!, { id: 'a/b', extension: '.yaml', bytes: bytes(text) })).metadata
}

describe('extracting an item', () => {
  it('fills a field from the first rule that gives a value', async () => {
    const extract = withRules({
      title: [{ type: 'path', key: 'x' }, { type: 'path', key: 'y' }, { type: 'filename' }],
    })
    expect((await extract('y: Y\nx: X')).title).toBe('X')
    expect((await extract('y: Y\nx: null')).title).toBe('Y')
    expect((await extract('z: 1')).title).toBe('b')
  })

  it('keeps what the file itself gives', async () => {
    const extract = withRules({ title: { type: 'path', key: 'x' }, note: { type: 'path', default: 'none' } })
    expect(await extract('title: own\nx: X\nnote: here')).toMatchObject({ title: 'own', note: 'here' })
    expect(await extract('x: X')).toMatchObject({ title: 'X', note: 'none' })
  })

  it('lets the file name and a constant stand above the file', async () => {
    const extract = withRules({ name: { type: 'filename' }, kind: { type: 'constant', value: 'fixed' } })
    expect(await extract('name: other\nkind: mine')).toMatchObject({ name: 'b', kind: 'fixed' })
  })

  it('takes the first line of a text', async () => {
    const extract = withRules({ description: { type: 'first_line', key: 'doc' } })
    expect((await extract('doc: "\\n  First. \\nSecond."')).description).toBe('First.')
    expect((await extract('doc: "  "')).description).toBeUndefined()
  })

  it('takes a text of a block, and none where there is something else', async () => {
    const extract = withRules({ version: { type: 'text', key: 'metadata.version' } })
    expect((await extract('metadata: { version: 1.5 }')).version).toBe('1.5')
    expect((await extract('version: 2.0.0\nmetadata: { version: 1.5 }')).version).toBe('2.0.0')
    for (const text of ['metadata: { version: [1] }', 'metadata: { version: " " }', 'metadata: 1', 'a: 1'])
      expect((await extract(text)).version).toBeUndefined()
    const hostile = withRules({ version: { type: 'text', key: '__proto__.constructor.name' } })
    expect((await hostile('a: {}')).version).toBeUndefined()
  })

  it.each([
    ['metadata:\n  version: "1.10"', '1.10'],
    ['metadata:\n  version: 1.10', '1.10'],
    ['metadata: {version: 1.10}', '1.10'],
    ['version: 1.0', '1.0'],
    ['version: "2.0"\nmetadata: {version: 1.10}', '2.0'],
    ['version:\nmetadata: {version: 1.10}', '1.10'],
    ['metadata: {author: a}', undefined],
  ])('reads the version of a skill as it is spelled: %j', async (fields, version) => {
    const source = { id: 'a', extension: '.md', bytes: bytes(`---\nname: a\n${fields}\n---\n# A\n`) }
    const { metadata } = await extractItem(await systemExtractor('skill'), source)
    expect(metadata.version ?? undefined).toBe(version)
  })

  it('gives metadata without a prototype', async () => {
    const metadata = await withRules({ __proto__x: { type: 'filename' } })('__proto__: { polluted: "yes" }')
    expect(Object.getPrototypeOf(metadata)).toBeNull()
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it('gives diagnostics, not an exception, for bytes that are no item', async () => {
    const directive = await systemExtractor('directive')
    const source = { id: 'a/b', extension: '.md', bytes: Uint8Array.of(0xff, 0xfe, 0x00) }
    const parsed = await extractItem(directive, source)
    expect(parsed.diagnostics.map(found => found.severity)).toContain('error')
    expect(parsed).toMatchObject({ type: 'directive', name: 'b', parser: 'markdown/xml', body: '' })
  })

  it('describes a tool by its description, else by the first line of its docstring', async () => {
    const tool = await systemExtractor('tool')
    const extract = async (text: string) =>
      (await extractItem(tool, { id: 'a/b', extension: '.sh', bytes: bytes(text) })).metadata.description
    expect(await extract('# Docs.\n# __tool_description__ = "Tool."\n')).toBe('Tool.')
    expect(await extract('# Docs.\n# More.\n')).toMatch(/^Docs\./)
  })
})
