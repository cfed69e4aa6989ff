import { describe, expect, it } from 'vitest'
import { callOf, commandOf, hintWith, printHint } from '../../src/base/hint.ts'

describe('a hint', () => {
  it('names the tool for an agent and the command for a person', () => {
    const hint = hintWith('see what it takes: ', callOf('load', { item_id: 'tool:a/b', view: 'summary' }))
    expect(printHint(hint, 'agent')).toBe(
      'see what it takes: `load` with `{"item_id":"tool:a/b","view":"summary"}`',
    )
    expect(printHint(hint, 'person')).toBe('see what it takes: rye load tool:a/b --view summary')
  })

  it('quotes what a shell would read otherwise, and spells flags as the command line does', () => {
    const call = callOf('execute', { item_id: 'a', parameters: { text: "it's" }, dry_run: true })
    expect(printHint(call, 'person')).toBe(`rye execute a --params '{"text":"it'\\''s"}' --dry-run`)
  })

  it('asks the user for what only a person can do', () => {
    const hint = commandOf('make one', 'keys generate')
    expect(printHint(hint, 'agent')).toBe('make one: ask the user to run `rye keys generate`')
    expect(printHint(hint, 'person')).toBe('make one with `rye keys generate`')
  })

  it('that names no call is the same for both', () => {
    expect(printHint('try again', 'agent')).toBe('try again')
  })
})
