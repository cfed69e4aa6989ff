import fc from 'fast-check'
import { dump } from 'js-yaml'
import { stringify } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { parseBytes } from '../../src/parse/parse-bytes.ts'
import { expectInside } from './inside.ts'

const PARSERS: readonly (readonly [string, string])[] = [
  ['markdown/xml', '.md'],
  ['markdown/frontmatter', '.md'],
  ['markdown/frontmatter', '.yaml'],
  ['yaml/yaml', '.yaml'],
  ['json/json', '.json'],
  ['toml/toml', '.toml'],
  ['shell/comments', '.sh'],
]

// Pieces of every format, so that random texts get past the first line.
const PIECES = [
  '```xml\n',
  '```yaml\n',
  '~~~',
  '```\n',
  '---\n',
  '<directive name="a" version="1">',
  '</directive>',
  '<metadata>',
  '</metadata>',
  '<permissions>',
  '<execute>',
  '</execute>',
  '<![CDATA[',
  ']]>',
  '<!--',
  '-->',
  '<!DOCTYPE x',
  '&amp;',
  '&x;',
  '<process>',
  '<step>',
  '<param name="p">',
  'a: ',
  '- ',
  '? ',
  '&b ',
  '*b',
  '!!int ',
  '<<: ',
  '|\n',
  '>-\n',
  '{',
  '}',
  '[',
  ']',
  '"',
  "'",
  ':',
  ',',
  '=',
  '\n',
  '\r\n',
  '\r',
  '\t',
  ' ',
  '  ',
  '# ',
  '#!',
  '# CONFIG = ',
  '\\',
  'x',
  '0',
  '1e9',
  '.inf',
  '2026-01-01',
  '__proto__',
  '😀',
  'é',
  '\ufeff',
  '\u2028',
  '[[t]]\n',
  'k = ',
  '"""',
  '%YAML 1.1\n',
]

const texts = fc.array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 4 })), { maxLength: 40 })
const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

describe.each(PARSERS)('%s %s', (parser, extension) => {
  it('never throws and never fails, and its diagnostics lie in the file', async () => {
    await fc.assert(
      fc.asyncProperty(texts, async pieces => {
        const text = pieces.join('')
        const { diagnostics } = await parseBytes(parser, encode(text), extension)
        expectInside(diagnostics, text.replaceAll('\0', ''))
      }),
      { numRuns: 300 },
    )
  })

  it('never throws for arbitrary bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async bytes => {
        const { diagnostics } = await parseBytes(parser, bytes, extension)
        expect(diagnostics.some(({ code }) => code === 'parser-failure')).toBe(false)
      }),
      { numRuns: 100 },
    )
  })
})

const text = fc.string({ unit: 'grapheme', maxLength: 20 }).filter(value => !/[\0\r]/.test(value))
// Integers past 2^53 come back as text, so they are left out here.
const number = fc
  .double({ noNaN: true, noDefaultInfinity: true })
  .filter(value => !Number.isInteger(value) || Number.isSafeInteger(value))
const scalar = fc.oneof(text, fc.boolean(), fc.maxSafeInteger(), number)
/** JSON has no negative zero. */
const positive = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

describe('a printed value is read back', () => {
  it('from JSON', async () => {
    const isExact = (value: unknown): boolean => !/[0-9]{16}/.test(JSON.stringify(value))
    const value = fc.oneof(fc.jsonValue().filter(isExact), scalar)
    await fc.assert(
      fc.asyncProperty(value, async printed => {
        const { metadata, diagnostics } = await parseBytes(
          'json/json',
          encode(JSON.stringify({ v: printed })),
          '.json',
        )
        expect([diagnostics, JSON.parse(JSON.stringify(metadata.v))]).toEqual([[], positive(printed)])
      }),
    )
  })

  it('from YAML', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(scalar, { maxLength: 5 }), async printed => {
        const { metadata, diagnostics } = await parseBytes('yaml/yaml', encode(dump({ v: printed })), '.yaml')
        expect([diagnostics, positive(metadata.v)]).toEqual([[], positive(printed)])
      }),
    )
  })

  it('from TOML', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(scalar, { maxLength: 5 }), async printed => {
        const { metadata, diagnostics } = await parseBytes(
          'toml/toml',
          encode(stringify({ v: printed })),
          '.toml',
        )
        expect([diagnostics, positive(metadata.v)]).toEqual([[], positive(printed)])
      }),
    )
  })

  it('from an attribute and an element of a directive', async () => {
    const printable = fc.string({ unit: 'grapheme-ascii', maxLength: 20 })
    const escapeXml = (value: string): string =>
      value.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`)
    await fc.assert(
      fc.asyncProperty(printable, async value => {
        const xml = `<directive name="${escapeXml(value)}"><note>x${escapeXml(value)}x</note></directive>`
        const { metadata, diagnostics } = await parseBytes(
          'markdown/xml',
          encode(`~~~xml\n${xml}\n~~~\n`),
          '.md',
        )
        expect([diagnostics, metadata.note]).toEqual([[], `x${value}x`])
        expect(metadata.name).toBe(value)
      }),
    )
  })
})
