import { expect, it } from 'vitest'
import { describeReview } from '../../../src/sources/review/describe-review.ts'
import { permissionWords } from '../../../src/sources/review/permission-words.ts'
import { reviewItem } from '../../../src/sources/review/review-item.ts'

it.each<[unknown, string]>([
  ['Bash(*)', 'Bash(*)'],
  [['Read', 'Bash(git:*)'], 'Read, Bash(git:*)'],
  [{ network: true }, 'any host of the network'],
  [{ network: false }, ''],
  [
    { network: ['api.example.org', 'x.org:8080'], write: ['out'] },
    'the network (api.example.org, x.org:8080); writing to out',
  ],
  [{ network: false, limits: { memory_mb: 100, processes: 4 } }, 'limits: memory_mb 100, processes 4'],
  [
    [
      { tag: 'cap', content: 'rye.execute.tool.git/*' },
      { tag: 'cap', content: 'rye.load.*' },
    ],
    'rye.execute.tool.git/*, rye.load.*',
  ],
  [{ camera: true, places: { home: ['a', 'b'] }, x: null }, 'camera; places: home a, b'],
  [[{ network: ['a.org'] }, { write: ['b'] }], 'the network (a.org), writing to b'],
  [undefined, ''],
  [3, '3'],
])('%j is asked for as %j', (permissions, words) => {
  expect(permissionWords(permissions)).toBe(words)
})

it('a program declares what it asks for in its configuration', () => {
  const files = new Map([['x.ts', Buffer.from('export {}\n')]])
  const review = reviewItem(files, { config: { permissions: { network: ['a.org'] } } })
  expect(describeReview(review)).toContain('asks for: the network (a.org)')
  expect(describeReview(reviewItem(files, {})).join()).not.toContain('asks for')
})
