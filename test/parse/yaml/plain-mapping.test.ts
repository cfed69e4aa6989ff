import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createReport } from '../../../src/parse/report.ts'
import { readPlainMapping } from '../../../src/parse/yaml/plain-mapping.ts'
import { readYaml } from '../../../src/parse/yaml/read-yaml.ts'

/** What the YAML parser makes of a text: a comment is all that it takes to get there. */
async function parsed(text: string) {
  const report = createReport(text)
  const commented = `${text}\n# comment`
  expect(readPlainMapping(commented)).toBeUndefined()
  const metadata = await readYaml({ text: commented, toFileOffset: offset => offset }, report)
  return { metadata, diagnostics: report.diagnostics }
}

const WORDS = fc.constantFrom(
  ...[
    'null',
    'Null',
    'YES',
    'no',
    'True',
    'off',
    'on',
    'y',
    'n',
    'NaN',
    'inf',
    'e1',
    'x',
    'a b',
    'a  b ',
    "don't",
    'see (this)',
  ],
  ...[
    '1',
    '1.0',
    '0x1f',
    '1e3',
    '-',
    '-1',
    '.5',
    '2026-01-02',
    '12:30',
    '~',
    '<<',
    '=',
    '',
    ' ',
    '__proto__',
    'constructor',
  ],
  ...[
    'a: b',
    'a #b',
    'a:b',
    'a#b',
    '&a',
    '*a',
    '!a',
    '|',
    '>',
    '%a',
    '@a',
    '`a`',
    '{a: b}',
    '[a]',
    ', a',
    '? a',
    '- a',
    '--- a',
    '...',
  ],
  ...[
    'a, b',
    'a,b',
    'a,',
    ',',
    '[',
    ']',
    'a]',
    "''",
    "a''b",
    '""',
    'a"b',
    '\\',
    'é',
    '\u2028',
    '\u0085',
    '\t',
    'a\tb',
    '\n  a',
    '\n\n',
  ],
)
const VALUES = fc.oneof(
  { weight: 2, arbitrary: WORDS },
  fc.array(WORDS, { maxLength: 3 }).map(items => `[${items.join(', ')}]`),
  fc.tuple(fc.constantFrom('"', "'"), WORDS).map(([quote, word]) => `${quote}${word}${quote}`),
  fc.string({ unit: 'grapheme-ascii', maxLength: 8 }),
  fc.string({ unit: fc.constantFrom(...'ab:,# -.\'"[]()!?/=;\n1_'), maxLength: 12 }),
  {
    weight: 3,
    arbitrary: fc
      .string({ unit: fc.constantFrom(..."aB1 _.,/()'+=;!?-"), maxLength: 12 })
      .map(text => `a${text}`),
  },
)
const LINES = fc
  .tuple(
    fc.oneof({ weight: 9, arbitrary: fc.constantFrom('a', 'b', 'c_d', 'e-f', '_g', 'h1') }, WORDS),
    fc.oneof({ weight: 9, arbitrary: fc.constant(': ') }, fc.constantFrom(':  ', ':', ' : ')),
    VALUES,
  )
  .map(parts => parts.join(''))
const TEXTS = fc
  .tuple(fc.array(LINES, { minLength: 1, maxLength: 3 }), fc.constantFrom('\n', '\n', '\n\n', '\n ', ' \n'))
  .map(([lines, end]) => lines.join(end))

describe('a mapping of plain lines', () => {
  it('is read', () => {
    const text =
      "name: a_b\ntitle: A title, (short); isn't it?\nversion: \"1.0.0\"\nquoted: 'x: #y'\n\ntags: [one, two words]\nnone: []\n"
    expect(readPlainMapping(text)).toEqual({
      ...{ name: 'a_b', title: "A title, (short); isn't it?", version: '1.0.0', quoted: 'x: #y' },
      ...{ tags: ['one', 'two words'], none: [] },
    })
  })

  it('is what the YAML parser makes of it, or is left to it', async () => {
    let read = 0
    await fc.assert(
      fc.asyncProperty(TEXTS, async text => {
        const plain = readPlainMapping(text)
        if (plain === undefined) return
        read++
        const { metadata, diagnostics } = await parsed(text)
        expect(diagnostics).toEqual([])
        expect(Object.entries(plain)).toEqual(Object.entries(metadata))
        expect(Object.getPrototypeOf(plain)).toBeNull()
      }),
      { numRuns: 2000 },
    )
    expect(read).toBeGreaterThan(200)
  })

  it('is left to the parser when anything in it could mean something else', () => {
    const others = [
      '',
      '\n',
      'a',
      'a:',
      'a: ',
      'a: 1',
      'a: yes',
      'a: NULL',
      'yes: a',
      'a: b\na: c',
      'a: b\n  c',
      ' a: b',
      'a: b # c',
      'a: b: c',
    ]
    const more = [
      'a: [b, 1]',
      'a: [b,]',
      'a: [on]',
      'a: "b\\n"',
      "a: 'b''c'",
      'a: "b" c',
      'a: |',
      'a: b\n---\nc: d',
      'a: é',
      'a:\tb',
      'a: b\tc',
    ]
    for (const text of [...others, ...more]) expect(readPlainMapping(text), text).toBeUndefined()
  })

  it('is read in time that grows with its length', () => {
    expect(readPlainMapping(`a: ${'b '.repeat(3_000)}#`)).toBeUndefined()
    expect(readPlainMapping(`a: [${'b, '.repeat(2_000)}`)).toBeUndefined()
    expect(readPlainMapping(`a: ${'b'.repeat(100_000)}`)).toBeUndefined()
  })
})
