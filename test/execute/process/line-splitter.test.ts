import fc from 'fast-check'
import { expect, it } from 'vitest'
import { LineSplitter } from '../../../src/execute/process/line-splitter.ts'

function split(chunks: readonly string[], limit = 1000): string[] {
  const lines: string[] = []
  const splitter = new LineSplitter(line => lines.push(line), limit)
  for (const chunk of chunks) splitter.push(Buffer.from(chunk))
  splitter.end()
  return lines
}

it.each([
  [['a\nb\n'], ['a', 'b']],
  [['a\nb'], ['a', 'b']],
  [
    ['a', 'b\r\n', '\n', 'c'],
    ['ab', '', 'c'],
  ],
  [[], []],
])('%j are the lines %j', (chunks, lines) => {
  expect(split(chunks)).toEqual(lines)
})

it('it does not matter where a stream is cut', () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.nat(20)), (text, cuts) => {
      const places = [...new Set(cuts)].sort((a, b) => a - b)
      const chunks = [0, ...places].map((from, index) => text.slice(from, places[index] ?? text.length))
      expect(split(chunks)).toEqual(split([text]))
    }),
  )
})

it('a line that is too long comes in parts', () => {
  expect(split(['abc', 'def', 'g\nh'], 4)).toEqual(['abcdef', 'g', 'h'])
})
