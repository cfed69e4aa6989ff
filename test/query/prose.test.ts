// Sentences with AND, OR and NOT as words, code, paths and traces are questions; queries stay queries.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hasOperator, parseQuery } from '../../src/query/parse-query.ts'
import { printQuery } from '../../src/query/print-query.ts'
import { readQuery } from '../../src/query/read-query.ts'
import { canonicalQuery, outline } from './query-arbitraries.ts'

describe('is a question', () => {
  test.each([
    // Words in capitals.
    ['how do I make the deploy NOT delete old pods', '(words how do I make the deploy not delete old pods)'],
    ['rename the branch AND push it to origin', '(words rename the branch and push it to origin)'],
    ['which skill can merge OR split a PDF', '(words which skill can merge or split a PDF)'],
    ['HOW DO I UNDO A RELEASE AND TELL THE TEAM', '(words HOW DO I UNDO A RELEASE and TELL THE TEAM)'],
    ['UNDO RELEASE AND TELL TEAM NOW', '(words UNDO RELEASE and TELL TEAM NOW)'],
    ['what does AND mean in a query', '(words what does and mean in a query)'],
    ['build, test, lint AND publish, please', '(words build, test, lint and publish, please)'],
    ['the server does NOT start', '(words the server does not start)'],
    ['resize images (png OR jpeg) for the web page', '(words resize images png or jpeg for the web page)'],
    [
      'find what uses "file system" but does NOT write to it',
      '(words find what uses "file system" but does not write to it)',
    ],
    // Code and commands.
    [
      'SELECT name FROM users WHERE age > 3 AND active = 1',
      '(words SELECT name FROM users WHERE age 3 and active 1)',
    ],
    ['if x == 1 OR y == 2 then return z', '(words if x 1 or y 2 then return z)'],
    ['a && b NOT c; d | e', '(words a b not c; d e)'],
    ['git log --grep fix NOT merge --all', '(words git log --grep fix not merge --all)'],
    ['x[0] AND y[1] OR z[2] NOT w[3] v', '(words x[0] and y[1] or z[2] not w[3] v)'],
    // A trace, a path and JSON.
    [
      'Error: ENOENT at Object.open (fs.js:12:3) AND at load (C:\\app\\main.js:4:1)',
      '(words Error: ENOENT at Object.open fs.js:12:3 and at load C:\\app\\main.js:4:1)',
    ],
    [
      'copy src/*.ts to dist/ AND keep tests/*.snap',
      '(words copy ~src/*.ts~ to dist/ and keep ~tests/*.snap~)',
    ],
    ['{"op": "AND", "left": {"NOT": 1}} OR nothing at all', '(words op and left not 1}} or nothing at all)'],
  ])('%s', (text, expected) => {
    const { query, warning } = readQuery(text)
    expect(outline(query)).toBe(expected)
    expect(warning).toMatch(/^read as a question/)
  })
})

describe('is a question without a word about it, since it has no operator', () => {
  test.each([
    "TypeError: Cannot read properties of undefined (reading 'map')",
    'Traceback (most recent call last): File "app.py", line 3, in <module>',
    '{"type": "object", "required": ["name"]}',
    'why does src/**/*.test.ts match nothing',
    'printf("%d", x * y)',
    'and or not',
  ])('%s', text => {
    const { query, warning } = readQuery(text)
    expect(query.kind).toBe('words')
    expect(hasOperator(query)).toBe(false)
    expect(warning).toBeUndefined()
  })
})

describe('is a query', () => {
  test.each([
    'file AND system',
    'file OR directory',
    'file NOT temporary',
    'NOT temporary',
    '(file OR dir) AND read',
    'read (file OR dir)',
    'a (b OR c)',
    'a b OR c',
    'a AND b OR c AND NOT d',
    'the AND of',
    'deploy* NOT (staging OR test)',
    '"file system" AND read NOT "temporary file"',
    '(invoice OR receipt OR bill) AND (pdf OR docx) NOT (draft OR old)',
    'k8s OR kubernetes OR helm OR kustomize OR argo OR flux',
    'restart harbour crane AND power failure',
    'API AND SQL NOT REST',
    'c++ AND c# OR node.js',
    'rye/core/* AND tool:rye/bash',
    '*.md OR *.txt OR notes* OR read_* OR *log',
  ])('%s', text => {
    expect(readQuery(text)).toEqual({ query: parseQuery(text) })
  })
})

test('a query of operands of one or two words is never a question', () => {
  const words = fc.constantFrom('deploy', 'rollback', 'pods', 'k8s', 'read_file', 'log*')
  const operand = fc.array(words, { minLength: 1, maxLength: 2 }).map(list => list.join(' '))
  const rest = fc.array(fc.tuple(fc.constantFrom('AND', 'OR', 'NOT'), operand), {
    minLength: 1,
    maxLength: 20,
  })
  fc.assert(
    fc.property(operand, rest, (first, others) => {
      const text = [first, ...others.flat()].join(' ')
      expect(readQuery(text)).toEqual({ query: parseQuery(text) })
    }),
  )
})

test('a sentence of five words and more is never an error, whatever is in it', () => {
  const word = fc.constantFrom(
    'how',
    'the',
    'deploy',
    'AND',
    'OR',
    'NOT',
    '(',
    ')',
    '"',
    '{',
    '}',
    '==',
    'foo(',
    "it's",
    '*',
    'a/b',
  )
  fc.assert(
    fc.property(fc.array(word, { maxLength: 30 }), words => {
      const text = `why does this one not work ${words.join(' ')}`
      const { query } = readQuery(text)
      expect(hasOperator(query)).toBe(false)
    }),
  )
})

test('what is read as a query is what was printed', () => {
  fc.assert(
    fc.property(canonicalQuery, tree => {
      const { query, warning } = readQuery(printQuery(tree))
      if (warning === undefined) expect(outline(query)).toBe(outline(tree))
      else expect(hasOperator(query)).toBe(false)
    }),
  )
})
