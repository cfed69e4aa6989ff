// One rule for every format: a whole number that a JSON number cannot hold exactly is kept as its decimal digits.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseBytes } from '../../src/parse/parse-bytes.ts'

interface Format {
  readonly parser: string
  readonly extension: string
  readonly print: (number: string) => string
  /** How to find the value again. */
  readonly field: string
  readonly spellings: readonly ((size: bigint) => string)[]
}

const decimal = (size: bigint): string => size.toString()
const hex = (size: bigint): string => `0x${size.toString(16)}`
const octal = (size: bigint): string => `0o${size.toString(8)}`
const binary = (size: bigint): string => `0b${size.toString(2)}`
const grouped = (size: bigint): string => size.toString().replace(/(\d)(?=(\d{3})+$)/g, '$1_')

const FORMATS: readonly Format[] = [
  {
    parser: 'yaml/yaml',
    extension: '.yaml',
    print: number => `CONFIG: ${number}\n`,
    field: 'CONFIG',
    spellings: [decimal, hex, binary, grouped, size => `0${size.toString(8)}`, sexagesimal],
  },
  {
    parser: 'json/json',
    extension: '.json',
    print: number => `{"CONFIG": ${number}}`,
    field: 'CONFIG',
    spellings: [decimal],
  },
  {
    parser: 'python/ast',
    extension: '.py',
    print: number => `CONFIG = ${number}\n`,
    field: 'config',
    spellings: [decimal, hex, octal, binary, grouped],
  },
  {
    parser: 'javascript/javascript',
    extension: '.ts',
    print: number => `export const CONFIG = ${number} as const\n`,
    field: 'config',
    spellings: [decimal, hex, octal, binary, grouped],
  },
  {
    parser: 'shell/comments',
    extension: '.sh',
    print: number => `# CONFIG = ${number}\n`,
    field: 'config',
    spellings: [decimal],
  },
]

describe.each(FORMATS)('$parser', ({ parser, extension, print, field, spellings }) => {
  it('keeps every whole number exactly, as a number or as its digits', async () => {
    const near = fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n })
    const size = fc.oneof(
      near,
      fc.bigInt({ min: 0n, max: 2n ** 300n }),
      fc.bigInt({ min: 0n, max: 2n ** 64n }),
    )
    await fc.assert(
      fc.asyncProperty(
        size,
        fc.boolean(),
        fc.constantFrom(...spellings),
        async (value, isNegative, spell) => {
          const number = isNegative ? -value : value
          const text = print(isNegative ? `-${spell(value)}` : spell(value))
          const { metadata, diagnostics } = await parseBytes(
            parser,
            new TextEncoder().encode(text),
            extension,
          )
          if (Number.isSafeInteger(Number(number))) {
            expect([diagnostics, metadata[field]]).toEqual([[], Number(number)])
          } else {
            expect(metadata[field]).toBe(number.toString())
            expect(diagnostics).toMatchObject([{ severity: 'warning', code: 'number-too-large' }])
          }
        },
      ),
      { numRuns: 200 },
    )
  })

  it('keeps one that is inside a list', async () => {
    const { metadata } = await parseBytes(
      parser,
      new TextEncoder().encode(print('[1, 9007199254740993]')),
      extension,
    )
    expect(metadata[field]).toEqual([1, '9007199254740993'])
  })
})

it('TOML has 64 bits, kept exactly', async () => {
  await fc.assert(
    fc.asyncProperty(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), async number => {
      const { metadata } = await parseBytes('toml/toml', new TextEncoder().encode(`a = ${number}\n`), '.toml')
      expect(String(metadata.a)).toBe(String(number))
      expect(typeof metadata.a).toBe(Number.isSafeInteger(Number(number)) ? 'number' : 'string')
    }),
  )
})

it('an attribute of a directive keeps its digits', async () => {
  const text =
    '```xml\n<directive name="a"><metadata><limits spend="9007199254740993" turns="6"/></metadata></directive>\n```\n'
  const { metadata } = await parseBytes('markdown/xml', new TextEncoder().encode(text), '.md')
  expect(metadata.limits).toEqual({ spend: '9007199254740993', turns: 6 })
})

it('a number that is written as a fraction is a double, however large', async () => {
  for (const [parser, extension, text] of [
    ['yaml/yaml', '.yaml', 'config: 9007199254740993.0\n'],
    ['json/json', '.json', '{"config": 9007199254740993.0}'],
    ['python/ast', '.py', 'CONFIG = 9007199254740993.0\n'],
    ['javascript/javascript', '.js', 'export const CONFIG = 9007199254740993.0\n'],
  ] as const) {
    const { metadata } = await parseBytes(parser, new TextEncoder().encode(text), extension)
    expect(metadata.config, parser).toBe(9007199254740992)
  }
})

/** `1:30:00`; a leading zero would make it a text. */
function sexagesimal(size: bigint): string {
  const [high, low] = [size / 60n, size % 60n]
  return high === 0n ? size.toString() : `${high}:${low}`
}
