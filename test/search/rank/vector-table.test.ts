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
          expect(Math.abs(table.cosine(doc, Float64Array.from(question)) - exact)).toBeLessThan(0.02)
        })
      }),
    )
  })

  it('of no direction are at right angles to everything', () => {
    const table = new VectorTable(2, 3)
    expect(table.isEmpty).toBe(true)
    table.put(1, packVector(Float32Array.of(0, 0, 0)), signatureOf([0, 0, 0]))
    expect(table.cosine(1, Float64Array.of(1, 0, 0))).toBe(0)
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
          all.compare(signatureOf(question))
          return [...all.distances]
        }
        const byHand = rows.map(row => row.filter((value, at) => value > 0 !== question[at]! > 0).length)
        expect(compare(plainEngine)).toEqual(byHand)
        expect(compare(wasmEngine)).toEqual(byHand)
      }),
    )
  })

  it('are added to scores alike in WebAssembly and in JavaScript, as one would by hand', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true })
    const rows = fc.array(fc.tuple(fc.uint8Array({ minLength: 32, maxLength: 32 }), share), { maxLength: 40 })
    fc.assert(
      fc.property(rows, share, share, (items, words, least) => {
        const estimates = Float64Array.from({ length: 257 }, (_, distance) => 1 - distance / 256)
        const add = (engine: typeof plainEngine) => {
          const all = new Signatures(items.length, 32, engine)
          items.forEach(([bytes], doc) => {
            all.bytes.set(bytes, doc * 32)
          })
          all.compare(new Uint8Array(32))
          const scores = Float64Array.from(items, ([, score]) => score)
          const chosen = all.addEstimates(scores, { estimates, words, least })
          return { scores: [...scores], chosen: [...chosen] }
        }
        const bits = (bytes: Uint8Array) =>
          bytes.reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0)
        const scores = items.map(([bytes, score]) => score * words + estimates[bits(bytes)]!)
        const chosen = [...scores.keys()].filter(doc => scores[doc]! >= least)
        expect(add(plainEngine)).toEqual({ scores, chosen })
        expect(add(wasmEngine)).toEqual({ scores, chosen })
      }),
    )
  })

  it('of nothing are no distances', () => {
    const none = new Signatures(0, 32)
    none.compare(new Uint8Array(32))
    expect([...none.distances]).toEqual([])
    const sum = { estimates: new Float64Array(257), words: 1, least: 0 }
    expect([...none.addEstimates(new Float64Array(0), sum)]).toEqual([])
  })
})
