import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sliceText } from '../../../../src/actions/definition/slice-text.ts'
import { findLongData } from '../../../../src/actions/items/execute/shorten-data.ts'

describe('long data', () => {
  it('are those over 16 KB as JSON', () => {
    expect(findLongData('x'.repeat(16_382))).toBeUndefined()
    expect(findLongData('x'.repeat(16_383))).toBeDefined()
    expect(findLongData({ stdout: 'short' })).toBeUndefined()
  })

  it('keep the members beside the one that is long', () => {
    const stdout = `first\n${'x'.repeat(50_000)}\nlast`
    const long = findLongData({ stdout, stderr: '', exit_code: 0 })!
    expect(long.text).toBe(stdout)
    const shown = long.shorten('output:abc')
    expect(Object.keys(shown)).toEqual(['stderr', 'exit_code', 'of', 'size', 'id', 'head', 'tail'])
    expect(shown).toMatchObject({ exit_code: 0, of: 'stdout', size: 50_011, id: 'output:abc' })
    expect(shown.head).toMatch(/^first\n/)
    expect(shown.tail).toMatch(/\nlast$/)
  })

  it('are shown as JSON where no member is long by itself', () => {
    const data = Array.from({ length: 5_000 }, (_, index) => index)
    const long = findLongData(data)!
    expect(JSON.parse(long.text)).toEqual(data)
    expect(long.shorten('output:abc').head).toMatch(/^\[0,1,2/)
  })

  it('never lose a member of their own under a name of ours', () => {
    const long = findLongData({ stdout: 'x'.repeat(20_000), size: 3 })!
    expect(JSON.parse(long.text)).toHaveProperty('size', 3)
  })

  it('become short, whatever they are', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string({ unit: 'binary', minLength: 1 }), (value, text) => {
        const data = JSON.parse(JSON.stringify({ value, text: text.repeat(20_000) }))
        const shown = findLongData(data)!.shorten('output:0123456789abcdef01234567')
        // Escapes may take six characters each, and twice if JSON is shown in JSON.
        expect(JSON.stringify(shown).length).toBeLessThan(2 * 6 * 12_000 + 4_000)
      }),
    )
  })
})

describe('a slice of a text', () => {
  it('with those after it is the text, and never splits a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 9 }), (text, length) => {
        const bytes = Buffer.from(text)
        let joined = ''
        for (let at = 0; at < bytes.length; ) {
          const { text: part, start, end } = sliceText(bytes, at, length)
          expect(start).toBe(at)
          expect(part).not.toContain('\ufffd'.repeat(text.includes('\ufffd') ? 99 : 1))
          joined += part
          at = end
        }
        expect(joined).toBe(text)
      }),
    )
  })
})
