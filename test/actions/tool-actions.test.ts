// The actions that tools of the package may run: a closed list without anything that only people may do.
import { expect, it } from 'vitest'
import { findAction } from '../../src/actions/table.ts'
import { TOOL_ACTIONS } from '../../src/actions/tool-actions.ts'

it('is this list', () => {
  expect([...TOOL_ACTIONS]).toEqual([
    ...['mcp add', 'mcp discover', 'mcp list', 'mcp refresh', 'mcp remove'],
    ...['registry search', 'registry show', 'registry pull', 'registry publish'],
  ])
})

it('holds nothing that is for people alone, or that decides about keys, trust or signatures', async () => {
  const actions = await Promise.all([...TOOL_ACTIONS].map(name => findAction(name)!.load()))
  const wrong = actions.filter(
    ({ name, forPeople }) => forPeople || /^(keys|init|sign|execute|doctor)\b/.test(name),
  )
  expect(wrong).toEqual([])
})
