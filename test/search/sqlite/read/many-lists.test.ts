// A pattern that stands for many words: their lists are read together, and each hit still says which words it
// has.
import fc from 'fast-check'
import { afterEach, expect, it } from 'vitest'
import { MEMORY } from '../../../../src/search/sqlite/database.ts'
import { openIndex, type SearchIndex } from '../../../../src/search/sqlite/search-index.ts'
import { itemOf, searchFor } from '../library.ts'

/** Words that are told for every hit; of the others a hit has one, if it has none of these. */
const FIRST = 64
const MOST_TOLD = 20

let index: SearchIndex | undefined
afterEach(() => index?.close())

const wordOf = (number: number) => `wo${String(number).padStart(3, '0')}`

it('finds what any of them finds, and tells the words of each hit', async () => {
  const numbers = fc.uniqueArray(fc.nat({ max: 150 }), { minLength: 1, maxLength: 40 })
  const documents = fc.array(numbers, { minLength: 1, maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(documents, fc.array(fc.nat({ max: 29 })), async (texts, removed) => {
      index = await openIndex(new Map([['project', MEMORY]]))
      const items = texts.map((words, at) =>
        itemOf({ id: `item${at}`, fields: { content: [words.map(wordOf).join(' ')] } }),
      )
      // In two steps, so that there are two chunks; and some are gone again.
      const half = items.length >> 1
      index.apply('project', { upsert: items.slice(0, half), remove: [] })
      index.apply('project', { upsert: items.slice(half), remove: [] })
      const gone = new Set(removed.filter(at => at < items.length))
      index.apply('project', { upsert: [], remove: [...gone].map(at => items[at]!.path) })
      const left = texts.flatMap((words, at) => (gone.has(at) ? [] : [{ at, words }]))
      // Words of what is gone are words of the index still.
      const known = [...new Set(texts.flat())].sort((a, b) => a - b)
      const first = new Set(known.slice(0, FIRST))
      const told = (words: readonly number[]) => {
        const sorted = [...words].sort((a, b) => a - b)
        const some = sorted.filter(word => first.has(word))
        return (some.length > 0 ? some.slice(0, MOST_TOLD) : sorted.slice(0, 1)).map(wordOf)
      }
      const rows = searchFor(index, 'wo*', { limit: 100 }).rows
      const found = Object.fromEntries(rows.map(({ id, matched }) => [id, matched.content]))
      expect(found).toEqual(Object.fromEntries(left.map(({ at, words }) => [`item${at}`, told(words)])))
      index.close()
      index = undefined
    }),
    { numRuns: 30 },
  )
}, 60_000)

it('reads long lists beside short ones', async () => {
  index = await openIndex(new Map([['project', MEMORY]]))
  const upsert = Array.from({ length: 400 }, (_, at) =>
    itemOf({ id: `item${at}`, fields: { content: [`world word${at} wonder${at % 2}`] } }),
  )
  index.apply('project', { upsert, remove: [] })
  expect(searchFor(index, 'wo*').total).toBe(400)
  expect(searchFor(index, 'won*').total).toBe(400)
  const [row] = searchFor(index, 'wo*', { limit: 1 }).rows
  expect(row?.matched.content).toContain('world')
})
