// Packed vectors and their signatures are close enough to the originals, and every engine computes the same
// from them.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BestScores } from '../../../src/search/rank/best-scores.ts'
import { unitVector } from '../../../src/search/rank/cosine.ts'
import { type Engine, plainEngine, wasmEngine } from '../../../src/search/rank/signature-engines.ts'
import { Signatures, signatureOf, signatureSize } from '../../../src/search/rank/signatures.ts'
import { packedSignature, packVector, VectorTable } from '../../../src/search/rank/vector-table.ts'
import { tries } from '../../fixtures/tries.ts'

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
    const share = fc.float({ min: 0, max: Math.fround(0.5), noNaN: true })
    const row = (length: number) =>
      fc.tuple(fc.array(number, { minLength: length, maxLength: length }), share, fc.boolean())
    const rows = fc
      .integer({ min: 1, max: 600 })
      .chain(length => fc.array(row(length), { minLength: 1, maxLength: 20 }))
    fc.assert(
      // Enough for several parts: the same ones again, each a little higher.
      fc.property(rows, fc.constantFrom(1, 60, 400), share, fc.nat(60), (some, times, words, wanted) => {
        const items = Array.from({ length: times }, (_, time) =>
          some.map(([vector, score, isAllowed]) => ({ vector, score: score + time / 2000, isAllowed })),
        ).flat()
        const question = some[0]![0]
        const dimensions = question.length
        const estimate = {
          half: dimensions >> 1,
          rise: 0.4 / dimensions,
          bend: -0.1 / dimensions ** 3,
          less: 0.01,
        }
        const allowed = { has: (doc: number) => items[doc]!.isAllowed }
        const compare = (engine: Engine) => {
          const all = new Signatures(items.length, signatureSize(dimensions), engine)
          items.forEach(({ vector, score }, doc) => {
            const signature = signatureOf(vector)
            all.bytes.set(signature, doc * signature.length)
            all.scores[doc] = score
            all.spare[doc] = 0.9
          })
          const best = new BestScores(wanted)
          const likely = all.compare(signatureOf(question), { estimate, words, allowed, best })
          return { scores: [...all.scores], ...likely, least: best.least }
        }
        const { scores, docs: chosen, estimates, least } = compare(plainEngine)
        expect(compare(wasmEngine)).toEqual({ scores, docs: chosen, estimates, least })
        items.forEach(({ vector, score }, doc) => {
          const differing = vector.filter((value, at) => value > 0 !== question[at]! > 0).length
          const near = Math.max(0, (dimensions >> 1) - differing)
          const meaning = Math.max(0, near * (estimate.rise + near ** 2 * estimate.bend) - 0.01)
          if (Math.abs(scores[doc]! - score * 0.9 * words - meaning) > 0.000_01)
            expect({ doc, score: scores[doc] }).toEqual({ doc, score: score * 0.9 * words + meaning })
        })
        const added = chosen.map(doc => scores[doc]! - items[doc]!.score * 0.9 * words)
        expect(estimates.every((estimate, at) => Math.abs(estimate - added[at]!) < 0.000_01)).toBe(true)
        // Whatever reaches the least is chosen, and that is as many as are wanted, if there are.
        expect(chosen.every(allowed.has)).toBe(true)
        const reached = [...scores.keys()].filter(doc => allowed.has(doc) && scores[doc]! >= least)
        expect(chosen.filter(doc => scores[doc]! >= least)).toEqual(reached)
        const above = items.filter(({ isAllowed }, doc) => isAllowed && scores[doc]! >= 1 / 4096).length
        expect(reached.length).toBeGreaterThanOrEqual(Math.min(wanted, above))
      }),
      { numRuns: tries({ usual: 25, torture: 100 }) },
    )
  })

  it('of nothing are not near', () => {
    const none = new Signatures(0, 32)
    const estimate = { half: 128, rise: 1, bend: 0, less: 0 }
    const all = { estimate, words: 1, allowed: { has: () => true }, best: new BestScores(1) }
    expect(none.compare(new Uint8Array(32), all)).toEqual({ docs: [], estimates: [] })
  })
})
