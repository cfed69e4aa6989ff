import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseMoment } from '../../src/query/date.ts'

test.each([
  ['2024-02-29', '2024-02-29T00:00:00.000Z', '2024-02-29T23:59:59.999Z'],
  [' 2024-12-31 ', '2024-12-31T00:00:00.000Z', '2024-12-31T23:59:59.999Z'],
  ['2024-06-15T12:30', '2024-06-15T12:30:00.000Z', '2024-06-15T12:30:00.000Z'],
  ['2024-06-15 12:30:05', '2024-06-15T12:30:05.000Z', '2024-06-15T12:30:05.000Z'],
  ['2024-06-15T12:30:05.5+02:00', '2024-06-15T10:30:05.500Z', '2024-06-15T10:30:05.500Z'],
  ['2024-06-15 12:30:05 +0200', '2024-06-15T10:30:05.000Z', '2024-06-15T10:30:05.000Z'],
  ['2024-06-15T12:30-0530', '2024-06-15T18:00:00.000Z', '2024-06-15T18:00:00.000Z'],
])('%j is from %s to %s', (text, first, last) => {
  expect(parseMoment(text)).toEqual({ first: Date.parse(first), last: Date.parse(last) })
})

test.each([
  '',
  '2024',
  '2024-06',
  '2024-6-15',
  '2023-02-29',
  '2024-00-10',
  '2024-01-32',
  '2024-06-15T',
  '2024-06-15T24:01',
  '2024-06-15T12:61',
  '2024-06-15T12:30+99:99',
  '2024-06-15x',
  '15.06.2024',
  'tomorrow',
  'chapter 3',
  'June 15, 2024',
  '2024-06-15 12:30:05  +0200',
  '2024-06-15 12:30:05 CEST',
  `2024-06-15T12:30:05.${'5'.repeat(100_000)}`,
])('%j is no date', text => {
  expect(parseMoment(text)).toBeUndefined()
})

test('every moment that a clock can show is read back', () => {
  const date = fc.date({ min: new Date('0100-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  fc.assert(
    fc.property(date, moment => {
      expect(parseMoment(moment.toISOString())?.first).toBe(moment.getTime())
    }),
  )
})
