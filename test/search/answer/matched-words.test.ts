// Why a hit matched: what its preview shows, and what is said about it without invisible characters.
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { MEMORY } from '../../../src/search/sqlite/database.ts'
import { openIndex, type SearchIndex } from '../../../src/search/sqlite/search-index.ts'
import { itemOf, searchFor } from '../sqlite/library.ts'

const FILLER = 'lorem ipsum dolor sit amet '.repeat(40)
const HIDDEN = /[\p{Default_Ignorable_Code_Point}\p{Cc}\u2800\u3164]/u

let index: SearchIndex
afterEach(() => index.close())

async function indexOf(...contents: string[]): Promise<SearchIndex> {
  index = await openIndex(new Map([['project', MEMORY]]))
  const upsert = contents.map((content, at) => itemOf({ id: `item${at}`, fields: { content: [content] } }))
  index.apply('project', { upsert, remove: [] })
  return index
}

describe('the preview of a hit', () => {
  it.each([
    ['a phrase', '"zebra crossing"', {}, 'zebra\ncrossing', 'zebra crossing'],
    [
      'words near each other, in any order',
      'zebra crossing',
      { proximity: 3 },
      'crossing of a zebra',
      'crossing of a zebra',
    ],
    ['an identifier in another form', 'reading-files', {}, 'READ_FILE', 'READ_FILE'],
    ['an identifier with a slip', 'reed-file', { fuzzy: 1 }, 'read_file', 'read_file'],
    ['a word far away', 'xylophone', {}, `${FILLER.repeat(150)} xylophone`, 'xylophone'],
    ['a pattern', 'xylo*', {}, 'cafe\u0301 Xylophones', 'Xylophones'],
    ['a decomposed word', 'café', {}, 'cafe\u0301', 'café'],
    ['a word in a text with a letter that grows', 'ankara', {}, 'İ Ankara', 'Ankara'],
  ])('shows %s', async (_, query, changes, match, shown) => {
    await indexOf(
      `read a file. zebra. ${FILLER} ${match} ${FILLER}`.replace(
        /^read a file. zebra./,
        query.includes('-') ? '.' : 'zebra.',
      ),
    )
    expect(searchFor(index, query, changes).rows.map(row => row.preview)).toEqual([
      expect.stringContaining(shown),
    ])
  })
})

describe('what matched', () => {
  it('is told with escapes for what cannot be seen', async () => {
    await indexOf('wombat\u{e0110}\u{e0151} soft\u034fhyphen \u3164')
    const [row] = searchFor(index, 'wombat*').rows
    expect(row?.matched).toEqual({ content: ['wombat\\u{e0110}\\u{e0151}'] })
    expect(row?.preview).toBe('wombat\\u{e0110}\\u{e0151} soft\\u{34f}hyphen \\u{3164}')
  })

  it('has nothing that cannot be seen, for any text', async () => {
    const unseen = fc.constantFrom(
      '\u034f',
      '\u17b4',
      '\u2065',
      '\u2800',
      '\u3164',
      '\ufe0f',
      '\u{e0110}',
      '\u{e01f0}',
      '\u200d',
      '\u0007',
    )
    const text = fc
      .array(fc.oneof(unseen, fc.constantFrom('a', 'b', ' ', 'ä')), { minLength: 1 })
      .map(parts => `a${parts.join('')}`)
    await fc.assert(
      fc.asyncProperty(text, async content => {
        await indexOf(content)
        const { rows } = searchFor(index, 'a*')
        index.close()
        expect(rows).toHaveLength(1)
        expect(JSON.stringify([rows[0]!.matched, rows[0]!.preview])).not.toMatch(HIDDEN)
      }),
      { numRuns: 50 },
    )
    await indexOf()
  })
})
