// Search with the built-in model: vectors are made with the index for new items, and survive every change of
// it.
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadBuiltIn } from '../../../src/search/meaning/built-in-model.ts'
import type { ItemText, LocalEmbedder } from '../../../src/search/meaning/embedder.ts'
import { MEMORY } from '../../../src/search/sqlite/database.ts'
import { openIndex, type SearchIndex } from '../../../src/search/sqlite/search-index.ts'
import { type Draft, idsOf, itemOf, searchFor } from '../sqlite/library.ts'

const { embedder } = loadBuiltIn(fileURLToPath(new URL('../../../system/model/model.bin', import.meta.url)))
const model = embedder!

let index: SearchIndex
let embedded: string[] = []

/** The model, with a note of what was embedded. */
const watched: LocalEmbedder = {
  ...model,
  embedItem: (item: ItemText) => {
    embedded.push(item.title)
    return model.embedItem(item)
  },
}

beforeEach(async () => {
  index = await openIndex(new Map([['project', MEMORY]]))
  embedded = []
})
afterEach(() => index.close())

function ask(text: string) {
  const values = model.embedQuestion(text)!
  return searchFor(index, text, { vector: { model: model.model, values } })
}

function draft(id: string, description: string): Draft {
  return { id, fields: { description: [description] } }
}

const TOOLS = [
  draft('rollback', 'Revert a deployment to the version before it'),
  draft('invoice', 'Create a bill for a customer'),
  draft('weather', 'Forecast of rain and temperature for a city'),
  draft('thumbnail', 'Scale pictures down'),
]
/** Enough that scores are estimated first, about nothing that is asked for. */
const MANY = Array.from({ length: 1500 }, (_, at) =>
  draft(`rock-${at}`, `granite quarry number ${at} basalt`),
)

describe('the built-in model in search', () => {
  it.each([
    ['undo a bad release', 'rollback'],
    ['make my images smaller', 'thumbnail'],
    ['will I need an umbrella in Paris', 'weather'],
  ])('finds by meaning what has no word of `%s`', (question, id) => {
    for (const others of [[], MANY]) {
      index.apply('project', { upsert: [...others, ...TOOLS].map(one => itemOf(one)), remove: [] }, model)
      const { rows, byMeaning } = ask(question)
      expect(byMeaning).toBe(true)
      expect(rows[0]).toMatchObject({ id, partial: true, matched: {} })
    }
  })

  it('embeds what is new or changed, and nothing else', () => {
    const put = (...drafts: readonly Draft[]) =>
      index.apply('project', { upsert: drafts.map(one => itemOf(one)), remove: [] }, watched)
    put(...TOOLS)
    expect(embedded).toEqual(['rollback', 'invoice', 'weather', 'thumbnail'])
    embedded = []
    put(...TOOLS, draft('new', 'Something else'))
    expect(embedded).toEqual(['new'])
    embedded = []
    put(draft('new', 'Undo a bad release'))
    expect(embedded).toEqual(['new'])
    expect(idsOf(ask('revert it'))[0]).toBe('rollback')
  })

  it('completes what was indexed without it, once', () => {
    index.apply('project', { upsert: TOOLS.map(one => itemOf(one)), remove: [] })
    expect(ask('undo a bad release')).toMatchObject({ byMeaning: false, total: 0 })
    index.complete(watched)
    expect(idsOf(ask('undo a bad release'))[0]).toBe('rollback')
    expect(embedded).toHaveLength(TOOLS.length)
    index.complete(watched)
    expect(embedded).toHaveLength(TOOLS.length)
  })

  it('keeps each vector with its item when all are numbered anew', () => {
    index.apply('project', { upsert: [...MANY, ...TOOLS].map(one => itemOf(one)), remove: [] }, watched)
    const before = ask('undo a bad release').rows.filter(row => !row.id.startsWith('rock'))
    embedded = []
    index.apply('project', { upsert: [], remove: MANY.map(one => itemOf(one).path) }, watched)
    index.complete(watched)
    expect(embedded).toEqual([])
    const after = ask('undo a bad release').rows
    expect(after.map(row => row.id)).toEqual(before.map(row => row.id))
  })

  it('says the same of words and meaning where a score is lowered for its type', () => {
    const sheet = draft('sheet', 'Undo a deployment by hand')
    const tool: Draft = { id: 'other', type: 'tool', fields: { description: ['Scale pictures down'] } }
    index.apply('project', { upsert: [...MANY, sheet, tool].map(one => itemOf(one)), remove: [] }, model)
    const shareIn = (question: string) => ask(question).rows.find(row => row.id === 'sheet')!
    const plain = shareIn('undo a bad release')
    const lowered = shareIn('tool to undo a bad release')
    expect(lowered.score).toBeLessThan(plain.score / 2)
    expect(plain.meaningShare).toBeLessThan(0.95)
    expect(lowered.meaningShare).toBeCloseTo(plain.meaningShare!, 2)
  })

  it('leaves a single word that there is to those that have it', () => {
    index.apply('project', { upsert: TOOLS.map(one => itemOf(one)), remove: [] }, model)
    expect(idsOf(ask('bill'))).toEqual(['invoice'])
    expect(idsOf(ask('pictures'))).toEqual(['thumbnail'])
  })
})
