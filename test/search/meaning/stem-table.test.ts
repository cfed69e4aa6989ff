import fc from 'fast-check'
import { expect, it } from 'vitest'
import { findRow, StemTable } from '../../../src/search/meaning/stem-table.ts'

const stem = fc.string({ unit: fc.constantFrom(...'abcxyz019'), minLength: 1, maxLength: 5 })
const question = fc.oneof(stem, fc.string({ maxLength: 6 }), fc.constantFrom('', '\u4e61', '\u0161b'))

it('finds every stem in its row, by table and by search, and nothing else', () => {
  fc.assert(
    fc.property(fc.uniqueArray(stem, { maxLength: 40 }), fc.array(question), (stems, others) => {
      const text = Buffer.from(`\n${stems.map(each => `${each}\n`).join('')}`)
      const table = new StemTable(text, stems.length)
      for (const each of [...stems, ...others.filter(other => !other.includes('\n'))]) {
        const row = stems.indexOf(each)
        expect([table.rowOf(each), findRow(text, each)]).toEqual([row, row])
      }
    }),
  )
})

it('has the first rows where there are more lines, and those that there are where there are fewer', () => {
  const text = Buffer.from('\na\nb\nc\n')
  for (const [rows, found] of [
    [2, [0, 1, -1]],
    [5, [0, 1, 2]],
  ] as const)
    expect(['a', 'b', 'c'].map(each => new StemTable(text, rows).rowOf(each))).toEqual(found)
})
