// A compiled-code file is about a megabyte, so a few of them serve all commands.
import { expect, it } from 'vitest'
import { ACTIONS } from '../../src/actions/table.ts'
import { codeName, isShared } from '../../src/program/code-name.ts'
import { otherCommands } from '../../src/program/other-commands.ts'

it.each([
  ['search x', 'search'],
  ['execute tool:x', 'execute'],
  ['mcp', 'mcp'],
  ['mcp --http', 'mcp'],
  ['mcp list', 'other'],
  ['show tool:x', 'load'],
  ['keys list', 'other'],
  ['keys --help', 'help'],
  ['search x -h', 'help'],
  ['help', 'help'],
  ['--help', 'help'],
  ['', 'help'],
  ['../x', 'other'],
  ['demo', undefined],
])('%j starts from the code of %j', (typed, expected) => {
  expect(codeName(typed.split(' ').filter(word => word !== ''))).toBe(expected)
})

it('all commands together keep five files, and help one', () => {
  const others = otherCommands({ environment: {}, program: '', onStarted: () => {} })
  const names = [...ACTIONS, ...others].map(({ name }) => codeName(name.split(' ')))
  expect([...new Set(names)].filter(name => name !== undefined).sort()).toEqual([
    'execute',
    'load',
    'mcp',
    'other',
    'search',
  ])
})

it.each([
  ['index', true],
  ['skills sync x', true],
  ['search x', false],
  ['execute tool:x', false],
  ['mcp', false],
  ['demo', false],
])('%j shares its code with other commands: %j', (typed, expected) => {
  expect(isShared(typed.split(' '))).toBe(expected)
})
