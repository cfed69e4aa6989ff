// Items drafted one by one, whose texts are gone, are written like items given whole.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MEMORY } from '../../../src/search/sqlite/database.ts'
import type { IndexedItem } from '../../../src/search/sqlite/indexed-item.ts'
import { openIndex } from '../../../src/search/sqlite/search-index.ts'
import { Draft } from '../../../src/search/sqlite/write/draft.ts'
import { idsOf, itemOf, searchFor } from './library.ts'

const word = fc.constantFrom('file', 'Files', 'readFile', 'read_file.py', '文件系统', 'naïve', 'the', 'zebra')
const text = fc.array(word, { maxLength: 12 }).map(words => words.join(' '))
const entry = fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd/e'), content: text, isCopy: fc.boolean() })

const openEmpty = () => openIndex(new Map([['project', MEMORY]]))
const QUERIES = ['file', 'read_file.py', '文件', '"the zebra"', 'naive', 'read*', '*']

function draftOf(items: readonly IndexedItem[]): Draft {
  const draft = new Draft(undefined)
  for (const item of items) draft.add(item)
  return draft
}

/** Copies have one digest, and yet another text, where that depends on the id. */
function itemFor({ id, content, isCopy }: { id: string; content: string; isCopy: boolean }): IndexedItem {
  const item = itemOf({ id, fields: { content: [isCopy ? 'the same file' : content] } })
  return isCopy ? { ...item, hash: 'copy' } : { ...item, hash: `${id} ${content}` }
}

describe('a draft', () => {
  it('is written as its items are, in as many parts as it comes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(entry, { maxLength: 6 }), { maxLength: 4 }), async batches => {
        const [drafted, plain] = [await openEmpty(), await openEmpty()]
        for (const batch of batches) {
          const items = batch.map(itemFor)
          const applied = drafted.apply('project', { upsert: draftOf(items), remove: [] })
          expect(applied).toEqual(plain.apply('project', { upsert: items, remove: [] }))
        }
        for (const query of QUERIES)
          expect(searchFor(drafted, query).rows).toEqual(searchFor(plain, query).rows)
        drafted.close()
        plain.close()
      }),
      { numRuns: 60 },
    )
  })

  it('tells two items of one digest apart where their texts differ', async () => {
    const index = await openEmpty()
    const make = (id: string, content: string) => ({
      ...itemOf({ id, fields: { content: [content] } }),
      hash: 'x',
    })
    index.apply('project', { upsert: draftOf([make('a', 'flour'), make('b', 'sugar')]), remove: [] })
    expect(idsOf(searchFor(index, 'flour'))).toEqual(['a'])
    expect(idsOf(searchFor(index, 'sugar'))).toEqual(['b'])
    index.close()
  })

  it('leaves out what another process has written meanwhile', async () => {
    const index = await openEmpty()
    const item = itemOf({ id: 'a', fields: { content: ['flour'] } })
    const draft = draftOf([item, itemOf({ id: 'b', fields: { content: ['flour'] } })])
    index.apply('project', { upsert: [item], remove: [] })
    expect(index.apply('project', { upsert: draft, remove: [] })).toMatchObject({
      added: 1,
      updated: 0,
      touched: 1,
    })
    expect(idsOf(searchFor(index, 'flour')).sort()).toEqual(['a', 'b'])
    expect(searchFor(index, 'flour').total).toBe(2)
    index.close()
  })
})
