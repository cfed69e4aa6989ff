import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LineMap } from '../../src/base/diagnostic.ts'
import { editDistance, nearest } from '../../src/base/edit-distance.ts'
import { escapeHidden, findHidden, flattenText, printVisibleJson } from '../../src/base/escape-text.ts'
import { describeType, printCanonicalJson, typeName } from '../../src/base/json.ts'

describe('line map', () => {
  it('counts LF, CRLF and CR as one line end each', () => {
    const map = new LineMap('a\nb\r\nc\rd')
    expect([0, 1, 2, 5, 7].map(offset => map.position(offset))).toEqual([
      { line: 1, column: 1 },
      { line: 1, column: 2 },
      { line: 2, column: 1 },
      { line: 3, column: 1 },
      { line: 4, column: 1 },
    ])
  })

  it('stays inside the text, whatever it is asked', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer(), (text, offset) => {
        const { line, column } = new LineMap(text).position(offset)
        const lines = text.split(/\r\n|\r|\n/)
        expect(line).toBeGreaterThanOrEqual(1)
        expect(line).toBeLessThanOrEqual(lines.length)
        expect(column).toBeGreaterThanOrEqual(1)
        expect(column).toBeLessThanOrEqual(text.length + 1)
      }),
    )
  })
})

describe('hidden characters', () => {
  it.each([
    ['\u202e', '\\u{202e}'],
    ['a\u200bb', 'a\\u{200b}b'],
    ['\u{e0041}', '\\u{e0041}'],
    ['\ufe0f', '\\u{fe0f}'],
    ['\u0007', '\\u{7}'],
    ['\ud800', '\\u{d800}'],
    // What a font may leave out, and what it draws as nothing: a joiner, fillers, vowels, selectors, an empty cell.
    ['\u034f\u3164\u17b4\u17b5', '\\u{34f}\\u{3164}\\u{17b4}\\u{17b5}'],
    ['\u2065\ufff0\u{e0110}\u{e01f0}\u2800', '\\u{2065}\\u{fff0}\\u{e0110}\\u{e01f0}\\u{2800}'],
    ['line\n\ttab', 'line\n\ttab'],
  ])('%j is shown as %j', (text, shown) => {
    expect(escapeHidden(text)).toBe(shown)
  })

  it('overlooks none of Unicode', () => {
    const HIDDEN = /^[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{2800}]$/u
    const wrong: string[] = []
    for (let code = 0; code <= 0x10ffff; code++) {
      const character = String.fromCodePoint(code)
      const shown = HIDDEN.test(character) ? `\\u{${code.toString(16)}}` : character
      if (escapeHidden(character, { oneLine: true }) !== shown) wrong.push(code.toString(16))
    }
    expect(wrong).toEqual([])
    expect(escapeHidden('é\nü')).toBe('é\nü')
    expect(escapeHidden('é\nü', { oneLine: true })).toBe('é\\u{a}ü')
  })

  it('finds what escapes would show, but for layout', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        const shown = Array.from(text).filter(one => escapeHidden(one, { oneLine: true }) !== one)
        const found = findHidden(text).map(({ codePoint }) => String.fromCodePoint(codePoint))
        expect(found).toEqual(shown.filter(one => !['\n', '\t', '\r'].includes(one)))
      }),
    )
  })

  it('leaves nothing hidden behind', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        expect(findHidden(escapeHidden(text, { oneLine: true }))).toEqual([])
      }),
    )
  })
})

describe('JSON for a reader', () => {
  it.each([
    ['\u009b', '"\\u009b"'],
    ['\u202e\u2028', '"\\u202e\\u2028"'],
    ['\u{e0041}', '"\\udb40\\udc41"'],
    ['a\nb\u001b', '"a\\nb\\u001b"'],
    ['é😀', '"é😀"'],
    [{ '\u200b': [1] }, '{\n  "\\u200b": [\n    1\n  ]\n}'],
  ])('%# is written with escapes', (value, text) => {
    expect(printVisibleJson(value)).toBe(text)
  })

  it('is the same value, with nothing hidden but its line ends', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), value => {
        const text = printVisibleJson(value)
        expect(JSON.stringify(JSON.parse(text))).toBe(JSON.stringify(value))
        expect(findHidden(text)).toEqual([])
      }),
    )
  })
})

describe('edit distance', () => {
  function naive(a: string, b: string): number {
    if (a === '') return b.length
    if (b === '') return a.length
    if (a[0] === b[0]) return naive(a.slice(1), b.slice(1))
    return 1 + Math.min(naive(a.slice(1), b), naive(a, b.slice(1)), naive(a.slice(1), b.slice(1)))
  }

  it('agrees with the definition up to its limit', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 6 })
    fc.assert(
      fc.property(word, word, fc.integer({ min: 0, max: 4 }), (a, b, limit) => {
        expect(editDistance(a, b, limit)).toBe(Math.min(naive(a, b), limit + 1))
      }),
    )
  })

  it('suggests the nearest, and nothing when nothing is near', () => {
    expect(nearest('serch', ['search', 'sign', 'load'])).toEqual(['search'])
    expect(nearest('zzz', ['search', 'sign', 'load'])).toEqual([])
  })
})

describe('canonical JSON', () => {
  it('is the same for every order of keys, and reads back', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), value => {
        const reversed = Object.fromEntries(Object.entries(value).reverse())
        expect(printCanonicalJson(reversed)).toBe(printCanonicalJson(value))
        expect(JSON.parse(printCanonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })
})

describe('the type of a value', () => {
  it.each([
    [null, 'null', 'null'],
    [true, 'boolean', 'a boolean'],
    [1, 'integer', 'a number'],
    [1.5, 'number', 'a number'],
    ['1', 'string', 'a string'],
    [[], 'array', 'a list'],
    [{}, 'object', 'an object'],
    [undefined, 'undefined', 'nothing'],
  ])('of %j is `%s`, or %s', (value, name, described) => {
    expect(typeName(value)).toBe(name)
    expect(describeType(value)).toBe(described)
  })
})

describe('prose on one line', () => {
  it('has blanks for line breaks, and escapes for what is hidden', () => {
    expect(flattenText('one\r\n\n  two\tthree\n')).toBe('one two three')
    expect(flattenText('a\u200bb\u2028c')).toBe('a\\u{200b}b\\u{2028}c')
    expect(flattenText('plain  text')).toBe('plain  text')
  })
})
