// Several words without operators: items with all of them, items with some, and what is said about words that
// no item has.

import { beforeEach, describe, expect, it } from 'vitest'
import { readQuery } from '../../src/query/read-query.ts'
import { useMemoryLibrary } from './memory-library.ts'
import { idsOf } from './sqlite/library.ts'

const library = useMemoryLibrary()

describe('a question', () => {
  beforeEach(() => {
    library.fill(
      'project',
      { id: 'weather', fields: { description: ['Forecast of the weather for a city'] } },
      { id: 'stocks', fields: { description: ['Prices of shares'] } },
    )
  })

  it('is answered by its telling words', () => {
    const { rows } = library.search('what will the weather be like in Berlin tomorrow')
    expect(rows.map(row => [row.id, row.partial])).toEqual([['weather', true]])
  })

  it('is not answered by words such as `what` when the telling ones occur nowhere', () => {
    expect(idsOf(library.search('what is the frobnicator'))).toEqual([])
    expect(idsOf(library.search('what is the'))).toEqual(['weather'])
  })

  it.each(['sign off', 'off sign', 'how do I sign off'])(
    'has what has all words of `%s` first, and says of the rest that it is partial',
    question => {
      library.fill(
        'project',
        { id: 'both', fields: { content: ['sign off the sheet'] } },
        { id: 'one', fields: { content: ['sign sign sign'] } },
      )
      const { rows } = library.search(question)
      expect(rows.map(row => [row.id, row.partial])).toEqual([
        ['both', false],
        ['one', true],
      ])
    },
  )

  it('takes a quoted part whole, when anything else of it is found', () => {
    library.fill(
      'project',
      { id: 'filing', fields: { content: ['filing cabinets in a system'] } },
      { id: 'other', fields: { content: ['cleanup only'] } },
    )
    expect(idsOf(library.search('"file system" cleanup'))).toEqual(['other'])
    expect(idsOf(library.search('"system file" nowhere'))).toEqual(['filing'])
  })

  it('with a quoted part is answered by the words of that part too', () => {
    expect(idsOf(library.search('tell me "weather in Paris" please'))).toEqual(['weather'])
  })

  it('that is JSON or code is answered by the words between its quotes', () => {
    for (const text of ['{"error": "no weather was found", "code": 12}', 'Unavailable("weather of Oslo")']) {
      const { query } = readQuery(text)
      expect(library.search(text, { query }).rows[0]).toMatchObject({
        id: 'weather',
        matched: { name: ['weather'] },
      })
    }
  })

  it('that has all words of an item is no partial match', () => {
    expect(library.search('the weather forecast').rows[0]).toMatchObject({ id: 'weather', partial: false })
  })

  it('without any known word gets the nearest words', () => {
    const answer = library.search('wether', { suggests: true })
    expect(answer.rows).toEqual([])
    expect(answer.unknown).toEqual([{ word: 'wether', nearest: ['weather'] }])
  })
})
