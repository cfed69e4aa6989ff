// Postings as bytes: what is encoded decodes again, whole or in part, chunk by chunk.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DamagedIndex } from '../../../../src/search/match/postings/damaged-index.ts'
import {
  addHeads,
  decodeOccurrences,
  decodePostings,
  findHead,
} from '../../../../src/search/match/postings/decode-postings.ts'
import { joinLists, ListEncoder } from '../../../../src/search/match/postings/encode-postings.ts'
import { keepLive, keepLivePlaces } from '../../../../src/search/match/postings/live-postings.ts'
import { FieldSums, mergePostings } from '../../../../src/search/match/postings/merge-postings.ts'
import { fieldOf, placeOf } from '../../../../src/search/match/postings/place.ts'
import { findMask, keepField, type Postings } from '../../../../src/search/match/postings/postings.ts'

/** The places of each document, both ascending. */
type Documents = ReadonlyMap<number, readonly number[]>

const CAPACITY = 300
const place = fc
  .tuple(fc.nat(7), fc.oneof(fc.nat(20), fc.nat(0x1fffffff)))
  .map(([field, position]) => placeOf(field, position))
const documents: fc.Arbitrary<Documents> = fc
  .dictionary(fc.nat(CAPACITY - 1).map(String), fc.uniqueArray(place, { minLength: 1, maxLength: 12 }))
  .map(
    found =>
      new Map(
        Object.entries(found)
          .map(([doc, places]): [number, number[]] => [Number(doc), places.sort((a, b) => a - b)])
          .sort(([a], [b]) => a - b),
      ),
  )

function encode(found: Documents, encoder = new ListEncoder()) {
  encoder.begin()
  for (const [doc, places] of found) for (const one of places) encoder.add(doc, one)
  return encoder.finish()
}

/** The same facts, worked out without any encoding. */
function expected(found: Documents): { docs: number[]; masks: number[]; counts: number[] } {
  const masks: number[] = []
  const counts: number[] = []
  for (const places of found.values()) {
    const fields = [...new Set(places.map(fieldOf))]
    masks.push(fields.reduce((mask, field) => mask | (1 << field), 0))
    for (const field of fields) counts.push(places.filter(one => fieldOf(one) === field).length)
  }
  return { docs: [...found.keys()], masks, counts }
}

function plain({ docs, masks, counts }: Postings) {
  return { docs: [...docs], masks: [...masks], counts: [...counts] }
}

function postingsOf(found: Documents): Postings {
  return decodePostings([{ base: 0, heads: encode(found).heads }])
}

describe('postings', () => {
  it('are decoded as they were encoded, with every place', () => {
    fc.assert(
      fc.property(documents, documents, (first, second) => {
        const encoder = new ListEncoder()
        const lists = [encode(first, encoder), encode(second, encoder)]
        const chunks = [
          { base: 0, ...lists[0]! },
          { base: CAPACITY, ...lists[1]! },
        ]
        const all = new Map([
          ...first,
          ...[...second].map(([doc, places]) => [doc + CAPACITY, places] as const),
        ])
        const postings = decodePostings(chunks)
        expect(plain(postings)).toEqual(expected(all))
        const { starts, places } = decodeOccurrences(chunks, postings)
        const byDocument = [...all.keys()].map((_, index) => [
          ...places.subarray(starts[index]!, starts[index + 1]!),
        ])
        expect(byDocument).toEqual([...all.values()])
      }),
    )
  })

  it('are joined by joining their bytes', () => {
    fc.assert(
      fc.property(documents, fc.nat(CAPACITY), (all, border) => {
        const earlier = new Map([...all].filter(([doc]) => doc < border))
        const later = new Map([...all].filter(([doc]) => doc >= border))
        expect(joinLists(encode(earlier), encode(later))).toEqual(encode(all))
      }),
    )
  })

  it('can be asked for one document, decoded or not', () => {
    fc.assert(
      fc.property(documents, fc.nat(CAPACITY), (all, doc) => {
        const at = [...all.keys()].indexOf(doc)
        const mask = at === -1 ? 0 : expected(all).masks[at]
        expect(findMask(postingsOf(all), doc)).toBe(mask)
        expect(findHead(encode(all).heads, doc)).toBe(mask)
      }),
    )
  })

  it('can be had for one field, without the documents that lack it', () => {
    fc.assert(
      fc.property(documents, fc.nat(7), (all, field) => {
        const kept = [...all].map(
          ([doc, places]) => [doc, places.filter(one => fieldOf(one) === field)] as const,
        )
        const inField = new Map(kept.filter(([, places]) => places.length > 0))
        expect(plain(keepField(postingsOf(all), field))).toEqual(expected(inField))
      }),
    )
  })

  it('can be had without deleted documents', () => {
    const types = fc.uint8Array({ minLength: CAPACITY, maxLength: CAPACITY, max: 1 })
    fc.assert(
      fc.property(documents, types, (all, live) => {
        const left = new Map([...all].filter(([doc]) => live[doc] !== 0))
        const list = encode(all)
        const postings = decodePostings([{ base: 0, ...list }])
        expect(plain(keepLive(postings, live))).toEqual(expected(left))
        const { starts, places } = keepLivePlaces(postings, decodeOccurrences([list], postings), live)
        const byDocument = [...left.keys()].map((_, index) => [
          ...places.subarray(starts[index]!, starts[index + 1]!),
        ])
        expect(byDocument).toEqual([...left.values()])
        expect([starts.length, places.length]).toEqual([left.size + 1, [...left.values()].flat().length])
      }),
    )
  })

  it('are the same whether they are merged, added up, or added up as bytes', () => {
    fc.assert(
      fc.property(fc.array(documents, { maxLength: 4 }), lists => {
        const merged = plain(mergePostings(lists.map(postingsOf)))
        const types = new Uint8Array(CAPACITY).fill(1)
        const sums = new FieldSums(CAPACITY)
        for (const one of lists) sums.addList(postingsOf(one))
        expect(plain(sums.take())).toEqual(merged)
        for (const one of lists) addHeads(sums, { base: 0, heads: encode(one).heads }, types)
        expect(plain(sums.take())).toEqual(merged)
        expect(plain(sums.take())).toEqual({ docs: [], masks: [], counts: [] })
      }),
    )
  })

  it('that are cut or name a document that does not exist are damage', () => {
    const list = encode(new Map([[299, [placeOf(0, 300), placeOf(4, 7)]]]))
    const cut = list.heads.subarray(0, -1)
    expect(() => decodePostings([{ base: 0, heads: cut }])).toThrow(DamagedIndex)
    const types = new Uint8Array(CAPACITY).fill(1)
    expect(() => addHeads(new FieldSums(CAPACITY), { base: 0, heads: cut }, types)).toThrow(DamagedIndex)
    expect(() => addHeads(new FieldSums(CAPACITY), { base: 1, heads: list.heads }, types)).toThrow(
      DamagedIndex,
    )
    const postings = decodePostings([{ base: 0, heads: list.heads }])
    expect(() => decodeOccurrences([{ places: list.places.subarray(0, -1) }], postings)).toThrow(DamagedIndex)
  })
})
