import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pythonAst } from '../../../src/parse/python/python-ast.ts'
import { printPython, pythonValue } from './print-python.ts'

const read = async (expression: string) => {
  const { metadata, diagnostics } = await pythonAst.parse({
    text: `CONFIG = ${expression}\n`,
    extension: '.py',
  })
  return diagnostics.length > 0 ? diagnostics.map(({ message }) => message) : metadata.config
}
const refusal = (reason: string) => [`expected \`CONFIG\` to be a constant, got ${reason}`]

describe('constants', () => {
  it('mean what was printed, in every spelling', async () => {
    const choices = fc.infiniteStream(fc.nat())
    await fc.assert(
      fc.asyncProperty(pythonValue, choices, async (value, stream) => {
        const printed = printPython(value, most => stream.next().value! % most)
        expect(JSON.stringify(await read(printed))).toBe(JSON.stringify(value))
      }),
      { numRuns: 400 },
    )
  })

  it.each([
    [
      String.raw`"a\
b"`,
      'ab',
    ],
    [String.raw`"\a\b\f\n\r\t\v\'\"\\"`, '\x07\b\f\n\r\t\v\'"\\'],
    [String.raw`"\d\8\ "`, '\\d\\8\\ '],
    [String.raw`"\0\12\101\400\777"`, '\0\nA\u0100\u01ff'],
    [String.raw`"\x41\u00e9\U0001F600"`, 'Aé😀'],
    [String.raw`"\N{BULLET} \N{em dash}"`, '• —'],
    [String.raw`r"\N{BULLET}\x41"`, '\\N{BULLET}\\x41'],
    [String.raw`"\\N{BULLET}"`, '\\N{BULLET}'],
    [String.raw`R'a\'b'`, "a\\'b"],
    [`u"a" 'b' """c"""`, 'abc'],
    ['("a"  # one\n  "b")', 'ab'],
    ['"a" \\\n  "b"', 'ab'],
    [String.raw`"""it's "quoted\""""`, `it's "quoted"`],
    ['"a" + "b" + "c"', 'abc'],
    ['f"plain"', 'plain'],
    ['f"{{}}" "x"', '{}x'],
    ['1_000', 1000],
    ['-0x1F', -31],
    ['+.5e1', 5],
    ['- -1', 1],
    ['9007199254740991', 9007199254740991],
    ['9007199254740993.', 9007199254740992],
    ['{1, 2, 1}', [1, 2]],
    ['()', []],
    ['(1)', 1],
    ['1, 2', [1, 2]],
    ['{5: "a", None: "b", True: "c", -2: "d"}', { 5: 'a', null: 'b', true: 'c', '-2': 'd' }],
    ['{"a": 1, "a": 2}', { a: 2 }],
    ['{}', {}],
  ])('%s', async (expression, value) => {
    expect(JSON.parse(JSON.stringify(await read(expression)))).toEqual(value)
  })

  it.each([
    ['b"x"', 'bytes'],
    ['"a" b"b"', 'bytes'],
    ['f"{x}"', 'the name `x`'],
    ['f"{1}"', 'a formatted string'],
    ['f"{\'a\'!r}"', 'a formatted string'],
    ['f"{\'a\':>3}"', 'a formatted string'],
    [String.raw`f"\N{BULLET}"`, 'a formatted string'],
    ['...', 'Ellipsis'],
    ['1j', 'a complex number'],
    ['1 + 2j', 'an operation'],
    ['1e999', 'a number too large'],
    ['9'.repeat(4_301), 'a number too large'],
    ['1 + 2', 'an operation'],
    ['not True', 'an operation'],
    ['-"a"', 'an operation'],
    ['"%s" % 1', 'an operation'],
    ['foo()', 'a call'],
    ['dict(a=1)', 'a call'],
    ['OTHER', 'the name `OTHER`'],
    ['os.sep', 'an attribute'],
    ['[*OTHER]', 'the name `OTHER`'],
    ['{**OTHER}', 'the name `OTHER`'],
    ['{(1, 2): 3}', 'a key that is not a string'],
    ['{1.5: 3}', 'a fractional key'],
    ['[x for x in y]', 'a comprehension'],
    ['lambda: 1', 'an expression'],
    ['1 if x else 2', 'an expression'],
    [String.raw`"\N{NO SUCH NAME}"`, 'the character name `\\N{NO SUCH NAME}`'],
    [String.raw`"\N{__proto__}"`, 'the character name `\\N{__proto__}`'],
    [String.raw`"\x4"`, 'a broken escape `\\x4`'],
    [String.raw`"\u12"`, 'a broken escape `\\u12`'],
  ])('%s is refused', async (expression, reason) => {
    expect(await read(expression)).toEqual(refusal(reason))
  })

  it('a code point that does not exist is a syntax error', async () => {
    expect(await read(String.raw`"\U00110000"`)).toEqual(['invalid code point 1114112'])
  })
})
