import { expect, it } from 'vitest'
import { findReferences } from '../../../src/surfaces/ui/references.ts'

const item = (name: string, text = '') => {
  const [type, id] = name.split(':') as [string, string]
  return { type, id, text }
}

it.each([
  ['an id in a sentence', 'Run ops/deploy.', [[0, 1]]],
  ['an id in quotes', 'executor_id: "ops/deploy"', [[0, 1]]],
  [
    'a type and an id',
    'see knowledge:notes, then tool:ops/deploy',
    [
      [0, 2],
      [0, 1],
    ],
  ],
  ['twice the same', 'ops/deploy ops/deploy', [[0, 1]]],
  ['a word that is the id of something', 'take notes', []],
  ['a longer id', 'ops/deploy/all and x/ops/deploy', []],
  ['another type', 'directive:ops/deploy', []],
  ['itself', 'tool:main', []],
])('finds %s', (_title, text, expected) => {
  const items = [item('tool:main', text), item('tool:ops/deploy'), item('knowledge:notes')]
  expect(findReferences(items)).toEqual(expected)
})

it('takes time in proportion to the text', () => {
  const items = [item('tool:main', 'a/'.repeat(200_000)), item('tool:ops/deploy')]
  expect(findReferences(items)).toEqual([])
})
