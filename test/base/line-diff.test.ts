import fc from 'fast-check'
import { expect, it } from 'vitest'
import { diffLines } from '../../src/base/line-diff.ts'

it('shows lines that went and came, with a little around them', () => {
  const before = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].join('\n')
  const after = ['a', 'b', 'c', 'd', 'E', 'f', 'g', 'h'].join('\n')
  expect(diffLines(before, after)).toEqual(['...', ' c', ' d', '-e', '+E', ' f', ' g', '...'])
  expect(diffLines(before, before)).toEqual([])
})

it('goes and comes to the other text: what is not gone plus what came', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = diffLines(before.join('\n'), after.join('\n'))
      const [gone, came] = ['-', '+'].map(mark => lines.filter(line => line.startsWith(mark)).length)
      expect(before.length - gone! + came!).toBe(after.length)
      expect(lines.length === 0).toBe(before.join() === after.join())
    }),
  )
})
