import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compareLines, compareTexts, type DiffRow, foldSame } from '../../page/text/compare.ts'

it('pairs what was changed, and finds what was added and removed', () => {
  expect(
    compareTexts('a\nb\nc\nd\n', 'a\nB\nc\nd\ne\n').map(row => [row.kind, row.left?.text, row.right?.text]),
  ).toEqual([
    ['same', 'a', 'a'],
    ['changed', 'b', 'B'],
    ['same', 'c', 'c'],
    ['same', 'd', 'd'],
    ['added', undefined, 'e'],
  ])
})

const lines = fc.array(fc.constantFrom('a', 'b', 'c', '', ' x'), { maxLength: 30 })
const sideOf = (rows: readonly DiffRow[], side: 'left' | 'right') =>
  rows.flatMap(row => row[side]?.text ?? [])

it('has every line of both, in order, and calls the same only what is', () => {
  fc.assert(
    fc.property(lines, lines, (left, right) => {
      const rows = compareTexts(`${left.join('\n')}\n`, `${right.join('\n')}\n`)
      expect(sideOf(rows, 'left')).toEqual(left.length === 0 ? [''] : left)
      expect(sideOf(rows, 'right')).toEqual(right.length === 0 ? [''] : right)
      for (const { kind, left: one, right: other } of rows)
        expect(kind === 'same').toBe(one?.text === other?.text)
    }),
  )
})

it('finds no more changes than there are', () => {
  fc.assert(
    fc.property(lines, fc.nat(30), (left, at) => {
      const right = [...left.slice(0, at), 'new', ...left.slice(at)]
      const rows = compareTexts(left.join('\n'), right.join('\n'))
      expect(rows.filter(row => row.kind !== 'same').length).toBeLessThanOrEqual(2)
    }),
  )
})

it('shows texts that have nothing in common as one change', () => {
  const many = (letter: string) => Array.from({ length: 4000 }, (_, index) => `${letter}${index}`).join('\n')
  const rows = compareTexts(many('a'), many('b'))
  expect(rows).toHaveLength(4000)
  expect(rows.every(row => row.kind === 'changed')).toBe(true)
})

it('folds what is far from a change', () => {
  const before = Array.from({ length: 40 }, (_, index) => String(index))
  const after = before.with(20, 'x')
  const parts = foldSame(compareTexts(before.join('\n'), after.join('\n')))
  expect(parts.map(part => ('skipped' in part ? `skip ${part.skipped.length}` : part.length))).toEqual([
    'skip 17',
    7,
    'skip 16',
  ])
})

it('says where two lines differ', () => {
  expect(compareLines('version = "1.2.0"', 'version = "1.3.0"')).toEqual({
    start: 13,
    leftEnd: 14,
    rightEnd: 14,
  })
  expect(compareLines('aa', 'aaa')).toEqual({ start: 2, leftEnd: 2, rightEnd: 3 })
})
