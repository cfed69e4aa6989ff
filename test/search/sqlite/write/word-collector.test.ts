// The word lists are the same, whatever the number of runs they were collected in.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { WordCollector } from '../../../../src/search/sqlite/write/word-collector.ts'
import { itemOf } from '../library.ts'

const word = fc.constantFrom('file', 'Files', 'readFile', 'read_file.py', 'naïve', 'the', 'zebra', '文件')
const text = fc.array(word, { maxLength: 12 }).map(words => words.join(' '))

function listsOf(texts: readonly string[], run: number | undefined): Record<string, string> {
  const collector = new WordCollector(run)
  for (const [at, content] of texts.entries())
    collector.add(at, itemOf({ id: `n${at}`, fields: { content: [content] } }).document)
  const lists: Record<string, string> = {}
  collector.visitLists(collector.present().reverse(), (number, { bytes, headSize, size }) => {
    lists[collector.numbers.wordAt(number)] =
      `${headSize} ${Buffer.from(bytes.subarray(0, size)).toString('hex')}`
  })
  return lists
}

it('lists of words are the same in one run and in many', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 12 }), fc.integer({ min: 1, max: 30 }), (texts, run) => {
      expect(listsOf(texts, run)).toEqual(listsOf(texts, undefined))
    }),
  )
})

it('a list that is longer than the memory for one is whole', () => {
  const long = Array.from({ length: 600 }, () => 'zebra '.repeat(300))
  const lists = listsOf(long, 5000)
  expect(lists.zebra!.length).toBeGreaterThan(2 * (1 << 16))
  expect(lists).toEqual(listsOf(long, undefined))
})

it('words of an earlier draft have no list in the next', () => {
  const collector = new WordCollector()
  collector.add(0, itemOf({ id: 'a', fields: { content: ['flour'] } }).document)
  collector.clear()
  collector.add(0, itemOf({ id: 'a', fields: { content: ['sugar'] } }).document)
  const words = Array.from(collector.present(), number => collector.numbers.wordAt(number))
  expect(words).toContain('sugar')
  expect(words).not.toContain('flour')
})
