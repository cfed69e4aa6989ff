// Packed vectors and their signatures: near enough to what they stand for, and counted alike by every engine.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { unitVector } from '../../../src/search/rank/cosine.ts'
import {
  plainEngine,
  Signatures,
  signatureOf,
  signatureSize,
  wasmEngine,
} from '../../../src/search/rank/signatures.ts'
import { packedSignature, packVector, VectorTable } from '../../../src/search/rank/vector-table.ts'

const number = fc.double({ min: -1, max: 1, noNaN: true })
const vectors = fc
  .integer({ min: 1, max: 600 })
  .chain(length => fc.array(fc.array(number, { minLength: length, maxLength: length }), { maxLength: 5 }))

describe('packed vectors', () => {
  it('have nearly the cosine of what they stand for', () => {
    fc.assert(
      fc.property(vectors, fc.nat(), (rows, seed) => {
        const units = rows.flatMap(row => unitVector(row) ?? [])
        const question = units[seed % Math.max(1, units.length)]
        if (!question) return
        const table = new VectorTable(units.length, question.length)
        units.forEach((unit, doc) => {
          const packed = packVector(unit)
          table.put(doc, packed, packedSignature(packed, question.length))
        })
        units.forEach((unit, doc) => {
          const exact = unit.reduce((sum, value, at) => sum + value * question[at]!, 0)
          expect(Math.abs(table.cosine(doc, question) - exact)).toBeLessThan(0.02)
        })
      }),
    )
  })

  it('of no direction are at right angles to everything', () => {
    const table = new VectorTable(2, 3)
    expect(table.isEmpty).toBe(true)
    table.put(1, packVector(Float32Array.of(0, 0, 0)), signatureOf([0, 0, 0]))
    expect(table.cosine(1, Float32Array.of(1, 0, 0))).toBe(0)
    expect(() => table.put(2, packVector(Float32Array.of(1, 0, 0)), signatureOf([1, 0, 0]))).toThrow(
      RangeError,
    )
  })
})

describe('signatures', () => {
  it('are compared alike in WebAssembly and in JavaScript, as one would by hand', () => {
    fc.assert(
      fc.property(vectors, rows => {
        const [question] = rows
        if (!question) return
        const signatures = rows.map(row => signatureOf(row))
        const compare = (engine: typeof plainEngine) => {
          const all = new Signatures(rows.length, signatureSize(question.length), engine)
          signatures.forEach((signature, doc) => {
            all.bytes.set(signature, doc * signature.length)
          })
          return [...all.distances(signatureOf(question))]
        }
        const byHand = rows.map(row => row.filter((value, at) => value > 0 !== question[at]! > 0).length)
        expect(compare(plainEngine)).toEqual(byHand)
        expect(compare(wasmEngine)).toEqual(byHand)
      }),
    )
  })

  it('of nothing are no distances', () => {
    expect([...new Signatures(0, 32).distances(new Uint8Array(32))]).toEqual([])
  })
})
