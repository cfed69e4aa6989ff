import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../../../src/base/json.ts'
import { parseBytes } from '../../../src/parse/parse-bytes.ts'
import { testCorpus } from '../corpus.ts'
import { hostileInputsFor } from '../hostile.ts'
import { expectInside } from '../inside.ts'

testCorpus('javascript', 'javascript/javascript')

const EXTENSIONS = ['.js', '.mjs', '.cjs', '.ts', '.mts']
const parse = (text: string, extension: string) =>
  parseBytes('javascript/javascript', new TextEncoder().encode(text), extension)

describe('constants', () => {
  const value = fc
    .jsonValue({ maxDepth: 3, stringUnit: fc.constantFrom(...'aé😀"\'`$\\/*\n\t\0 {}[]()') })
    .map(json => JSON.parse(JSON.stringify(json)) as JsonValue) // without negative zero

  const print = (json: JsonValue, choose: (most: number) => number): string => {
    const inner = printPlain(json, choose)
    return choose(5) === 0 ? `(/* ) */ ${inner})` : inner
  }
  const printPlain = (json: JsonValue, choose: (most: number) => number): string => {
    if (typeof json === 'string') return printString(json, choose)
    if (typeof json === 'number') return printNumber(json, choose)
    if (json === null || typeof json === 'boolean') return String(json)
    if (Array.isArray(json)) return `[${json.map(item => `${print(item, choose)},`).join(' // ]\n')}]`
    const members = Object.entries(json).map(([key, item]) => {
      const plain = /^[a-z]+$/.test(key) && choose(2) === 0 ? key : `[${printString(key, choose)}]`
      return `${plain}: ${print(item, choose)},`
    })
    return `{${members.join('\n')}}`
  }
  const printNumber = (number: number, choose: (most: number) => number): string => {
    // Without an exponent a large one would be kept as text.
    const isExact = !Number.isInteger(number) || Number.isSafeInteger(number)
    const printed = isExact ? String(number) : number.toExponential()
    return choose(3) === 0 && number >= 0 ? `+${printed}` : printed
  }
  const printString = (text: string, choose: (most: number) => number): string => {
    if (choose(4) > 0) return quote(text, choose)
    const points = [...text]
    const middle = choose(points.length + 1)
    const halves = [points.slice(0, middle), points.slice(middle)]
    return halves.map(half => quote(half.join(''), choose)).join(' + ')
  }
  const quote = (text: string, choose: (most: number) => number): string => {
    const mark = ['"', "'", '`'][choose(3)]!
    const body = [...text].map(point => {
      if (/[\\"'`$]/.test(point)) return `\\${point}`
      if (point === '\n' && mark === '`') return point
      if (/[\n\0]/.test(point) || choose(5) === 0) return `\\u{${point.codePointAt(0)!.toString(16)}}`
      return point
    })
    return `${mark}${body.join('')}${mark}`
  }

  it('mean what was printed, in every spelling and extension', async () => {
    const stream = fc.infiniteStream(fc.nat())
    await fc.assert(
      fc.asyncProperty(value, stream, fc.constantFrom(...EXTENSIONS), async (json, choices, extension) => {
        const choose = (most: number) => choices.next().value! % most
        const printed = print(json, choose)
        const text = extension === '.cjs' ? `exports.CONFIG = ${printed}` : `export const CONFIG = ${printed}`
        const { metadata, diagnostics } = await parse(text, extension)
        expect(diagnostics).toEqual([])
        expect(JSON.stringify(metadata.config)).toBe(JSON.stringify(json))
      }),
      { numRuns: 400 },
    )
  })
})

describe('whatever the text', () => {
  const fragment = fc.constantFrom(
    ...[
      'export const __version__ = ',
      'CONFIG',
      '{',
      '}',
      '"',
      "'",
      '`',
      '$',
      '/',
      '*',
      '\\',
      '\n',
      '//',
      '(',
      ')',
    ],
    ...[
      'module.exports = ',
      'exports.CONFIG = ',
      'é😀',
      'as const',
      ': string',
      '<',
      '>',
      '=>',
      '1',
      ',',
      '...',
      '@',
      '#!',
    ],
    ...[
      'export {',
      ' as ',
      'from "x"',
      'async function execute() ',
      'return',
      '?',
      '\u2028',
      '[',
      ']',
      'import ',
    ],
  )

  it('it is answered, with positions that lie in it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fragment, { maxLength: 40 }),
        fc.constantFrom(...EXTENSIONS),
        async (parts, extension) => {
          const source = parts.join('')
          const { metadata, diagnostics } = await parse(source, extension)
          expect(Object.getPrototypeOf(metadata)).toBeNull()
          expectInside(diagnostics, source)
        },
      ),
      { numRuns: 1000 },
    )
  })

  it.each(hostileInputsFor('javascript/javascript', '.js'))(
    '$title is answered',
    async ({ parser, bytes, extension }) => {
      const { diagnostics } = await parseBytes(parser, bytes, extension)
      expect(diagnostics.every(({ code }) => code !== 'parser-failure')).toBe(true)
    },
  )
})

it('the same tool is read alike from every extension', async () => {
  const text = '/** Doc */\nexport const __version__ = "1.0.0"\nexport const execute = async () => 1\n'
  for (const extension of EXTENSIONS.filter(one => one !== '.cjs')) {
    const { metadata } = await parse(text, extension)
    expect({ ...metadata }).toEqual({
      version: '1.0.0',
      docstring: 'Doc',
      entry: { execute: 'async', main: false },
    })
  }
})
