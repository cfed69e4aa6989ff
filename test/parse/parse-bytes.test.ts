import { describe, expect, it } from 'vitest'
import { parseBytes } from '../../src/parse/parse-bytes.ts'
import { PARSER_NAMES } from '../../src/parse/parsers.ts'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
const NOTE = '```yaml\nname: note\n```\nText.\n'

describe('parseBytes', () => {
  it('knows the parsers by the names that extractors use', () => {
    expect(PARSER_NAMES).toEqual([
      'markdown/xml',
      'markdown/frontmatter',
      'markdown/skill',
      'python/ast',
      'javascript/javascript',
      'yaml/yaml',
      'json/json',
      'toml/toml',
      'shell/comments',
    ])
  })

  it('answers an unknown parser with a diagnostic', async () => {
    const { diagnostics, metadata, body } = await parseBytes('constructor', encode('x'), '.md')
    expect(diagnostics).toMatchObject([{ severity: 'error', code: 'parser-unknown', line: 1, column: 1 }])
    expect([{ ...metadata }, body]).toEqual([{}, ''])
  })

  it('refuses an empty file, and one of white space', async () => {
    for (const text of ['', ' \n\t\r\n']) {
      const { diagnostics } = await parseBytes('yaml/yaml', encode(text), '.yaml')
      expect(diagnostics).toMatchObject([{ severity: 'error', code: 'file-empty' }])
    }
  })

  it('refuses a file past 1 MB, or past 8 MB for knowledge, unread', async () => {
    const large = new Uint8Array(1_000_001).fill(0xff)
    expect((await parseBytes('markdown/xml', large, '.md')).diagnostics[0]?.code).toBe('file-too-large')
    expect((await parseBytes('markdown/frontmatter', large, '.md')).diagnostics[0]?.code).toBe('utf8-invalid')
    const larger = new Uint8Array(8_000_001)
    expect((await parseBytes('markdown/frontmatter', larger, '.md')).diagnostics[0]?.code).toBe(
      'file-too-large',
    )
  })

  it('takes another size from its options', async () => {
    const { diagnostics } = await parseBytes('markdown/frontmatter', encode(NOTE), '.md', { maxBytes: 5 })
    expect(diagnostics).toMatchObject([
      { code: 'file-too-large', message: 'expected at most 5 bytes, got 29' },
    ])
  })

  it.each([
    ['a stray continuation byte', [0x80], 2, 3],
    ['a truncated sequence', [0xe2, 0x82], 2, 3],
    ['an overlong form', [0xc0, 0xaf], 2, 3],
    ['an overlong form of three bytes', [0xe0, 0x80, 0xaf], 2, 3],
    ['a surrogate', [0xed, 0xa0, 0x80], 2, 3],
    ['a code point past the last', [0xf4, 0x90, 0x80, 0x80], 2, 3],
    ['a byte of no encoding', [0xff], 2, 3],
  ])('points at the first byte that is not UTF-8: %s', async (_title, bad, line, column) => {
    const bytes = Uint8Array.from([...encode('ä\r\n😀'), ...bad, ...encode('rest')])
    const { diagnostics, body } = await parseBytes('markdown/frontmatter', bytes, '.md')
    expect(diagnostics).toMatchObject([{ severity: 'error', code: 'utf8-invalid', line, column }])
    expect(body).toBe('')
  })

  it('refuses a NUL where it stands', async () => {
    const { diagnostics } = await parseBytes('yaml/yaml', encode('a: b\nc: \0'), '.yaml')
    expect(diagnostics).toMatchObject([{ code: 'nul-byte', line: 2, column: 4 }])
  })

  it('leaves out a byte order mark with a warning, and reads the rest', async () => {
    const { diagnostics, metadata } = await parseBytes('markdown/frontmatter', encode(`\ufeff${NOTE}`), '.md')
    expect(diagnostics).toMatchObject([{ severity: 'warning', code: 'byte-order-mark', line: 1, column: 1 }])
    expect(metadata.name).toBe('note')
  })

  it('reads CRLF and CR lines as LF, at the same positions', async () => {
    const text = '```yaml\nname: note\ntags: [a\n```\n'
    const [lf, crlf, cr] = await Promise.all(
      [text, text.replaceAll('\n', '\r\n'), text.replaceAll('\n', '\r')].map(variant =>
        parseBytes('markdown/frontmatter', encode(variant), '.md'),
      ),
    )
    expect(lf?.diagnostics).toMatchObject([{ code: 'yaml-syntax', line: 4 }])
    expect(crlf).toEqual(lf)
    expect(cr).toEqual(lf)
  })

  it('gives metadata without prototypes at every level', async () => {
    const text =
      '{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}, "a": [{}]}'
    const { metadata } = await parseBytes('json/json', encode(text), '.json')
    const nested = [metadata, ...Object.values(metadata).slice(0, 2), (metadata.a as object[])[0]]
    expect(nested.map(value => Object.getPrototypeOf(value))).toEqual([null, null, null, null])
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it('shows hidden characters of a message as escapes, and cuts a long one', async () => {
    const tag = `!<\u202e${'x'.repeat(1_000)}>`
    const { diagnostics } = await parseBytes('yaml/yaml', encode(`a: ${tag} 1\n`), '.yaml')
    expect(diagnostics[0]?.message.length).toBeLessThan(400)
    expect(diagnostics[0]?.message).not.toContain('\u202e')
  })

  it('shows the first hundred diagnostics and counts the others', async () => {
    const permissions = `<permissions>${'<x/>'.repeat(150)}</permissions>`
    const text = `\`\`\`xml\n<directive name="a">${permissions}</directive>\n\`\`\`\n`
    const { diagnostics } = await parseBytes('markdown/xml', encode(text), '.md')
    expect(diagnostics).toHaveLength(101)
    expect(diagnostics[100]).toMatchObject({ code: 'diagnostics-too-many', message: '50 more are not shown' })
  })
})
