import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BoundedOutput } from '../../../src/execute/process/bounded-output.ts'
import { LineSplitter } from '../../../src/execute/process/line-splitter.ts'

describe('BoundedOutput', () => {
  it('keeps text within the limit as it is, in whatever pieces it comes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 5 }), (text, size) => {
        const bytes = Buffer.from(text)
        const output = new BoundedOutput(bytes.length)
        for (let at = 0; at < bytes.length; at += size) output.push(bytes.subarray(at, at + size))
        expect(output.read()).toEqual({ text: bytes.toString('utf8'), truncated: false })
      }),
    )
  })

  it('cuts at a whole character and says so', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), fc.nat(20), (text, limit) => {
        const bytes = Buffer.from(text)
        fc.pre(bytes.length > limit)
        const output = new BoundedOutput(limit)
        output.push(bytes)
        const { text: shown, truncated } = output.read()
        expect(truncated).toBe(true)
        expect(shown.endsWith(`[truncated: the first ${limit} bytes are shown]`)).toBe(true)
        expect(bytes.toString('utf8').startsWith(shown.slice(0, shown.lastIndexOf('\n[truncated')))).toBe(
          true,
        )
      }),
    )
  })

  it('says of bytes that are no UTF-8 that they were replaced, and of a cut character not', () => {
    const read = (bytes: Buffer, limit: number) => {
      const output = new BoundedOutput(limit)
      output.push(bytes)
      return output.read().isLossy
    }
    expect(read(Buffer.from([0x89, 0x50, 0x4e, 0x47]), 10)).toBe(true)
    expect(read(Buffer.from([0x89, 0x50, 0x4e, 0x47]), 2)).toBe(true)
    expect(read(Buffer.from('a€'), 4)).toBeUndefined()
    expect(read(Buffer.from('a€'), 2)).toBeUndefined()
  })

  it('shows the last lines too where that is asked for', () => {
    const lines = (first: number, last: number) =>
      Array.from({ length: last - first + 1 }, (_, i) => `line ${first + i}\n`).join('')
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), size => {
        const bytes = Buffer.from(lines(100, 199))
        const output = new BoundedOutput(18, 25)
        for (let at = 0; at < bytes.length; at += size) output.push(bytes.subarray(at, at + size))
        const mark = '[truncated: the first 18 bytes and the last lines are shown]'
        expect(output.read().text).toBe(`${lines(100, 101)}\n${mark}\n${lines(198, 199)}`)
      }),
    )
  })

  it('is a flood past twice its limit', () => {
    const output = new BoundedOutput(10)
    output.push(Buffer.alloc(20))
    expect(output.isFlood).toBe(false)
    output.push(Buffer.alloc(1))
    expect(output.isFlood).toBe(true)
  })
})

describe('LineSplitter', () => {
  it('finds the same lines in whatever pieces they come', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string().filter(line => !/[\n\r]/.test(line))),
        fc.integer({ min: 1, max: 7 }),
        (lines, size) => {
          const found: string[] = []
          const splitter = new LineSplitter(line => found.push(line), 1_000)
          const bytes = Buffer.from(lines.map(line => `${line}\n`).join(''))
          for (let at = 0; at < bytes.length; at += size) splitter.push(bytes.subarray(at, at + size))
          expect(found).toEqual(lines.map(line => Buffer.from(line).toString()))
        },
      ),
    )
  })

  it('passes an endless line on in parts', () => {
    const found: string[] = []
    const splitter = new LineSplitter(line => found.push(line), 10)
    for (let i = 0; i < 100; i++) splitter.push(Buffer.from('xxxxxx'))
    expect(Math.max(...found.map(line => line.length))).toBeLessThan(20)
  })
})
