import { expect, it } from 'vitest'
import { matchListed, wantedWords } from '../../../../src/actions/items/search/match-listed.ts'
import { readQuery } from '../../../../src/query/index.ts'

const TEXT = 'knowledge kitchen/green-tea How to brew a cup of Green Tea @team/kitchen'
const match = (query: string, how: 'auto' | 'all' | 'any' = 'auto') =>
  matchListed(readQuery(query).query, TEXT, how)

it.each([
  ['tea', 1],
  ['tea coffee', 0.5],
  ['*', 1],
  ['tea AND cup', 1],
  ['tea AND coffee', undefined],
  ['tea OR coffee', 0.5],
  ['coffee', undefined],
  ['NOT tea', undefined],
  ['NOT coffee', 1],
  ['tea NOT brew', undefined],
  ['tea NOT coffee', 1],
  ['tea NOT (coffee OR cup)', undefined],
  ['"green tea"', 1],
  ['"green coffee"', undefined],
  ['bre*', 1],
  ['how do I make an espresso', undefined],
  ['how do I brew it', 1],
  ['e', undefined],
])('%s has of the words %s', (query, share) => {
  expect(match(query)).toBe(share)
})

it('wants every word where the caller says so', () => {
  expect(match('tea coffee', 'all')).toBeUndefined()
  expect(match('tea cup', 'all')).toBe(1)
})

it('asks for neither the words around a question nor what is not wanted', () => {
  expect(wantedWords(readQuery('how do I brew tea').query)).toEqual(['brew', 'tea'])
  expect(wantedWords(readQuery('tea NOT our-secret-project').query)).toEqual(['tea'])
  expect(wantedWords(readQuery('who').query)).toEqual(['who'])
})
