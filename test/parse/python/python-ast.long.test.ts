import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseBytes } from '../../../src/parse/parse-bytes.ts'
import { testCorpus } from '../corpus.ts'
import { hostileInputsFor } from '../hostile.ts'
import { expectInside } from '../inside.ts'

testCorpus('python', 'python/ast')

const encode = (text: string) => new TextEncoder().encode(text)
const parse = (text: string) => parseBytes('python/ast', encode(text), '.py')

describe('a file that Python would refuse', () => {
  const constants = '__version__ = "1.0.0"\nCONFIG = {\n    "a": [1, 2],\n}\n'
  const breakages = [
    'def f(:\n  pass\n',
    'x = (\n',
    '  y = 1\n',
    'print "x"\n',
    '$\n',
    'x = )\n',
    "z = 'open\n",
    'class\n',
  ]

  it.each(breakages)('still gives the constants around %j', async breakage => {
    for (const text of [breakage + constants, constants + breakage, breakage + constants + breakage]) {
      const { metadata, diagnostics } = await parse(text)
      expect(metadata.version).toBe('1.0.0')
      expect(JSON.parse(JSON.stringify(metadata.config))).toEqual({ a: [1, 2] })
      expect(diagnostics.map(({ code }) => code)).toContain('python-syntax')
    }
  })

  it('gives nothing out of a string that never ends', async () => {
    const { metadata } = await parse('A = 1\nB = """\n__version__ = "9"\n')
    expect(metadata.version).toBeUndefined()
    expect(metadata.A).toBe(1)
  })
})

describe('whatever the text', () => {
  const fragment = fc.constantFrom(
    ...[
      '__version__ = ',
      'CONFIG = {',
      '"a": ',
      '}',
      '"""',
      "'",
      '\\',
      '\n',
      '    ',
      '\t',
      'def f(',
      '):',
      '# ',
      'é😀',
    ],
    ...[
      'f"{',
      'b"',
      '(',
      ']',
      ',',
      '1',
      '...',
      '@x',
      'class A:',
      'if ',
      'else:',
      '=',
      '\f',
      '\r',
      '\u2028',
      ' lambda: ',
    ],
  )
  const text = fc.oneof(
    fc.array(fragment, { maxLength: 60 }).map(parts => parts.join('')),
    fc.string({ unit: 'binary', maxLength: 100 }),
  )

  it('it is answered, with positions that lie in it', async () => {
    await fc.assert(
      fc.asyncProperty(text, async source => {
        const { metadata, diagnostics } = await parse(source)
        expect(Object.getPrototypeOf(metadata)).toBeNull()
        expectInside(diagnostics, source)
      }),
      { numRuns: 500 },
    )
  })

  it.each(hostileInputsFor('python/ast', '.py'))(
    '$title is answered',
    async ({ parser, bytes, extension }) => {
      const { diagnostics } = await parseBytes(parser, bytes, extension)
      expect(diagnostics.every(({ code }) => code !== 'parser-failure')).toBe(true)
    },
  )

  it.each([
    ['10 000 brackets', `X = ${'('.repeat(10_000)}1${')'.repeat(10_000)}`, 'python-too-deep'],
    ['100 000 signs', `X = ${'-'.repeat(100_000)}1`, 'python-too-deep'],
    [
      '10 000 indents',
      Array.from({ length: 1_000 }, (_, i) => `${' '.repeat(i)}if 1:`).join('\n'),
      'python-too-deep',
    ],
    ['a long sum', `X = ${'1+'.repeat(400_000)}1`, 'python-too-large'],
    ['open calls on every line', 'a(\n'.repeat(200_000), 'python-too-deep'],
    ['a broken statement on every line', 'a = 1 1\n'.repeat(60_000), 'python-syntax'],
    ['a broken line of many statements', `${'a;'.repeat(150_000)}$`, 'python-syntax'],
    ['many statements after a broken line', `$\n${'a;'.repeat(150_000)}`, 'python-syntax'],
    ['many strings', '"""\n'.repeat(200_000), 'python-too-large'],
    ['a long chain of elif', `if 1:\n 1\n${'elif 1:\n 1\n'.repeat(30_000)}`, 'python-too-deep'],
  ])('%s is told, and what stands beside it is read', async (_, hostile, code) => {
    const { metadata, diagnostics } = await parse(`__version__ = "1.0.0"\n${hostile}\n`)
    expect(diagnostics.map(diagnostic => diagnostic.code)).toContain(code)
    expect(metadata.version).toBe('1.0.0')
  })
})
