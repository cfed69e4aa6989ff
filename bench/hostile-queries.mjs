// Queries designed to be slow.
import { commonWord } from './library.mjs'

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'.split('')
export const HOSTILE = [
  { query: '*a*' },
  { query: '*', sort_by: 'date', offset: 1_000_000 },
  { query: LETTERS.map(letter => `${letter}*`).join(' ') },
  { query: LETTERS.map(letter => `*${letter}*`).join(' OR ') },
  { query: '***a*b*c***' },
  { query: '*', fields: { content: '*a*', title: '*e*', name: '*o*', description: '*u*' } },
  { query: `"${commonWords(8).join(' ')}"` },
  { query: `"${commonWord(1)} ${commonWord(2)} ${commonWord(1)}"` },
  { query: commonWords(3).join(' '), proximity: 50 },
  { query: `${commonWords(3).join(' ')} deploy cluster`, proximity: 50, fuzzy: 3 },
  { query: commonWords(1000).join(' ') },
  { query: commonWords(1000).join(' OR ') },
  { query: commonWords(50).join(' '), fuzzy: 3 },
  { query: commonWords(1000).join(' '), fuzzy: 3 },
  { query: 'ba co di fe gu ha jo ka li mo', fuzzy: 3 },
  { query: 'internationalization reproducibility', fuzzy: 3 },
  { query: `${'('.repeat(16)}deploy${')'.repeat(16)}` },
  {
    query: commonWords(500)
      .map(word => `zz${word}zz`)
      .join(' '),
  },
  { filters: Object.fromEntries(hundred(number => [`x${number}`, '!a'])), query: '*' },
  { filters: { id: { all: hundred(() => '!z') } }, query: '*' },
  { filters: { id: { all: hundred(number => `<0.${number}`) } }, query: '*' },
]

function hundred(make) {
  return Array.from({ length: 100 }, (_, number) => make(number))
}

function commonWords(count) {
  return Array.from({ length: count }, (_, index) => commonWord(index + 1))
}
