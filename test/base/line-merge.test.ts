import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeLines } from '../../src/base/line-merge.ts'

const BASE = 'a\nb\nc\nd\ne\n'

describe('two changes of one text', () => {
  it.each([
    ['in different places', 'A\nb\nc\nd\ne\n', 'a\nb\nc\nd\nE\n', 'A\nb\nc\nd\nE\n'],
    ['one of them an addition at the end', 'A\nb\nc\nd\ne\n', 'a\nb\nc\nd\ne\nf\n', 'A\nb\nc\nd\ne\nf\n'],
    ['that are the same', 'a\nx\nc\nd\ne\n', 'a\nx\nc\nd\ne\n', 'a\nx\nc\nd\ne\n'],
    ['that are the same in one place', 'a\nx\nc\nd\ne\n', 'a\nx\nc\nd\nE\n', 'a\nx\nc\nd\nE\n'],
    ['that take lines away', 'b\nc\nd\ne\n', 'a\nb\nc\nd\n', 'b\nc\nd\n'],
    ['of the same line', 'a\nx\nc\nd\ne\n', 'a\ny\nc\nd\ne\n', undefined],
    ['of lines next to each other', 'a\nx\nc\nd\ne\n', 'a\nb\ny\nd\ne\n', undefined],
    ['one of which leaves an empty line', 'a\nb\nc\nd\n', 'a\nb\nc\nd\n\n', undefined],
    ['that add at one place', 'a\nx\nb\nc\nd\ne\n', 'a\ny\nb\nc\nd\ne\n', undefined],
  ])('%s', (_, ours, theirs, merged) => {
    expect(mergeLines(BASE, ours, theirs)).toBe(merged)
    expect(mergeLines(BASE, theirs, ours)).toBe(merged)
  })

  const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 8 }).map(lines => lines.join('\n'))

  it('are the one change where there is no other, and the same whoever made which', () => {
    fc.assert(
      fc.property(text, text, text, (base, ours, theirs) => {
        expect(mergeLines(base, ours, base)).toBe(ours)
        expect(mergeLines(base, base, theirs)).toBe(theirs)
        expect(mergeLines(base, ours, ours)).toBe(ours)
        expect(mergeLines(base, ours, theirs)).toBe(mergeLines(base, theirs, ours))
      }),
    )
  })
})
