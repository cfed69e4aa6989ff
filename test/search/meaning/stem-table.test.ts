import fc from 'fast-check'
import { expect, it } from 'vitest'
import { findRow, StemTable } from '../../../src/search/meaning/stem-table.ts'

const stem = fc.string({ unit: fc.constantFrom(...'abcxyz019'), minLength: 1, maxLength: 5 })
const question = fc.oneof(stem, fc.string({ maxLength: 6 }), fc.constantFrom('', '\u4e61', '\u0161b'))

it('finds every stem in its row, by table and by search, and nothing else', () => {
  fc.assert(
    fc.property(fc.uniqueArray(stem, { maxLength: 40 }), fc.array(question), (stems, others) => {
      const text = Buffer.from(`\n${stems.map(each => `${each}\n`).join('')}`)
      const table = new StemTable(text)
      for (const each of [...stems, ...others.filter(other => !other.includes('\n'))]) {
        const row = stems.indexOf(each)
        expect([table.rowOf(each), findRow(text, each)]).toEqual([row, row])
      }
    }),
  )
})
