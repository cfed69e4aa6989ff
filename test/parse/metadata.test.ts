import { describe, expect, it } from 'vitest'
import { toJson, toMetadata } from '../../src/parse/metadata.ts'

function copy(value: unknown): { result: unknown; problems: string[] } {
  const problems: string[] = []
  const result = toJson(value, (severity, code) => problems.push(`${severity} ${code}`))
  return { result, problems }
}

describe('toJson', () => {
  it.each([
    ['a date', new Date('2026-02-18T00:00:00Z'), '2026-02-18T00:00:00Z', []],
    ['a date with a fraction', new Date('2026-02-18T00:00:00.5Z'), '2026-02-18T00:00:00.500Z', []],
    ['a date that is none', new Date(Number.NaN), undefined, ['error value-refused']],
    ['a small bigint', 7n, 7, []],
    ['a large bigint', 2n ** 60n, '1152921504606846976', ['warning number-too-large']],
    ['infinity', Number.NEGATIVE_INFINITY, '-Infinity', ['warning number-not-finite']],
    ['no number', Number.NaN, 'NaN', ['warning number-not-finite']],
    ['bytes', new Uint8Array(3), undefined, ['error binary-refused']],
    ['a buffer', new ArrayBuffer(3), undefined, ['error binary-refused']],
    ['a function', () => 1, undefined, ['error value-refused']],
    ['a symbol', Symbol('x'), undefined, ['error value-refused']],
    ['a set', new Set([1, 'a']), [1, 'a'], []],
    ['undefined in a list', [1, undefined, 2], [1, 2], []],
    ['null', null, null, []],
  ])('copies %s', (_title, value, result, problems) => {
    expect(copy(value)).toEqual({ result, problems })
  })

  it('drops undefined fields and turns keys of a map into text', () => {
    expect(copy({ a: undefined, b: new Map<unknown, unknown>([[1, 'x']]) }).result).toEqual({ b: { 1: 'x' } })
  })

  it('does not run a getter of a prototype', () => {
    class Sneaky {
      own = 1
      get inherited(): number {
        throw new Error('must not run')
      }
    }
    expect(copy(new Sneaky()).result).toEqual({ own: 1 })
  })

  it('refuses a cycle', () => {
    const cycle: unknown[] = []
    cycle.push(cycle)
    expect(copy(cycle)).toEqual({ result: undefined, problems: ['error metadata-too-large'] })
  })
})

describe('toMetadata', () => {
  it('leaves out the field that breaks a limit, and keeps the others', () => {
    const wide = Array.from({ length: 30_000 }, () => 0)
    let deep: unknown = 'x'
    for (let level = 0; level < 150; level++) deep = [deep]
    const long = Array.from({ length: 11 }, () => 'x'.repeat(1_000_000))
    const messages: string[] = []
    const metadata = toMetadata({ before: 1, wide, deep, long, after: [2] }, (_severity, _code, message) =>
      messages.push(message),
    )
    expect({ ...metadata }).toEqual({ before: 1, after: [2] })
    expect(messages).toEqual([
      '`wide` is left out: more than 20000 values',
      '`deep` is left out: more than 100 levels',
      '`long` is left out: more than 10000000 characters',
    ])
  })

  it('gives empty metadata for what is no record', () => {
    for (const value of [null, 1, 'x', [1]]) expect(Object.keys(toMetadata(value, () => {}))).toEqual([])
  })
})

it('a record of too many values is left out from where it is too much, without a word for each', () => {
  const problems: string[] = []
  const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`k${index}`, index]))
  const metadata = toMetadata(many, (_severity, _code, message) => problems.push(message))
  expect(Object.keys(metadata)).toHaveLength(20_000)
  expect(problems).toHaveLength(101)
  expect(problems.at(-1)).toBe('`k20100` and all fields after it are left out')
})
