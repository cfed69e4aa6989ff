import { describe, expect, test } from 'vitest'
import { readFields } from '../../src/query/fields.ts'
import { readFilters } from '../../src/query/filters.ts'
import { parseQuery } from '../../src/query/parse-query.ts'
import { foldWord } from '../../src/search/text/fold.ts'
import { stem } from '../../src/search/text/porter.ts'
import { visitTokens } from '../../src/search/text/tokenize.ts'
import {
  type NaiveDocument,
  type NaiveLanguage,
  type NaiveRequest,
  type NaiveToken,
  naiveSearch,
} from './naive-search.ts'

const language: NaiveLanguage = {
  analyse: text => {
    const tokens: NaiveToken[] = []
    visitTokens(text, (token, position, kind) => tokens.push({ text: token, position, kind }))
    return tokens
  },
  stem,
  fold: foldWord,
  isQuestionWord: word => word === 'the',
}

const DOCUMENTS: NaiveDocument[] = [
  {
    id: 'read',
    fields: { title: ['Read file'], description: ['Reads the file system'], category: ['file-system'] },
  },
  { id: 'write', fields: { title: ['Write files'], content: ['temporary directory'] } },
  { id: 'search', fields: { name: ['websearch'], content: ['searching the web for documents'] } },
  { id: 'thread', fields: { title: ['thread_directive'], content: ['a thread of the main orchestrator'] } },
  {
    id: 'user',
    fields: { name: ['getUserName'], tags: ['alpha', 'beta'] },
    metadata: new Map([['version', '1.2.0']]),
  },
]

describe('documents found', () => {
  test.each([
    ['*', 'read write search thread user'],
    ['file', 'read write'],
    ['FILES', 'read write'],
    ['"files"', 'write'],
    ['file system', 'read'],
    ['"file system"', 'read'],
    ['"system file"', ''],
    ['file-system', 'read'],
    ['filesystem', ''],
    ['file OR directory', 'read write'],
    ['file NOT temporary', 'read'],
    ['NOT file', 'search thread user'],
    ['NOT NOT file', 'read write'],
    ['(file OR thread) AND directory', 'write'],
    ['a (system OR orchestrator)', 'thread'],
    ['file*', 'read write'],
    ['*search', 'search'],
    ['*system', 'read'],
    ['*thread*', 'thread'],
    ['thread_*', 'thread'],
    ['search', 'search'],
    ['"search"', ''],
    ['user', 'user'],
    ['get_user_name', 'user'],
    ['getUserName', 'user'],
    ['"alpha beta"', ''],
    ['alpha beta', 'user'],
  ])('by %s: %s', (text, expected) => {
    expect(find({ query: parseQuery(text) })).toBe(expected)
  })

  test('by any of the words, unless there is an operator', () => {
    expect(find({ query: parseQuery('system orchestrator'), match: 'any' })).toBe('read thread')
    expect(find({ query: parseQuery('system AND orchestrator'), match: 'any' })).toBe('')
    expect(find({ query: parseQuery('the orchestrator'), match: 'any' })).toBe('thread')
    expect(find({ query: parseQuery('the'), match: 'any' })).toBe('read search thread')
  })

  test('by words with mistakes in them, which are no longer read by their stem', () => {
    expect(find({ query: parseQuery('direcory'), fuzzy: 1 })).toBe('write')
    expect(find({ query: parseQuery('direcory') })).toBe('')
    expect(find({ query: parseQuery('searches'), fuzzy: 1 })).toBe('')
  })

  test('by words that stand close together', () => {
    const query = parseQuery('thread orchestrator')
    expect(find({ query, proximity: 3 })).toBe('thread')
    expect(find({ query, proximity: 2 })).toBe('')
    expect(find({ query: parseQuery('orchestrator'), proximity: 0 })).toBe('thread')
  })

  test('by a query for one field, as written', () => {
    expect(find({ query: parseQuery('*'), fields: readFields({ title: 'file' }) })).toBe('read')
    expect(find({ query: parseQuery('*'), fields: readFields({ content: 'file' }) })).toBe('')
  })

  test('by filters', () => {
    expect(find({ query: parseQuery('*'), filters: readFilters({ filters: { version: '>=1.1' } }) })).toBe(
      'user',
    )
  })
})

function find(request: Partial<NaiveRequest> & Pick<NaiveRequest, 'query'>): string {
  return naiveSearch(DOCUMENTS, { match: 'all', ...request }, language).join(' ')
}
