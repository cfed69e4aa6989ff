import { expect, it } from 'vitest'
import { namePlace, nameShown, placeFlags } from '../../src/surfaces/cli/advised-commands.ts'

it.each([
  ['list them with `rye list`', 'list them with `rye --project P list`'],
  [
    'copy it first: rye load a/b --to project, or rye sign c',
    'copy it first: rye --project P load a/b --to project, or rye --project P sign c',
  ],
  // Its `--project` is a bound of the key.
  ['`rye keys trust ann.toml`', '`rye keys trust ann.toml`'],
  ['rye is not there; see ./rye list, rye listed', 'rye is not there; see ./rye list, rye listed'],
])('%s', (hint, named) => {
  expect(namePlace({ hint }, '--project P')).toEqual({ hint: named })
})

it('names the project wherever an answer advises, and nowhere else', () => {
  const answer = {
    next: ['rye sign a'],
    checks: [{ message: 'rye sign a', fix: 'rye sign a' }],
    failed: [{ hint: 'rye sign a' }],
    sources: [{ accept_command: 'rye add x --accept d', description: 'rye sign a' }],
    message: 'to accept: rye add x --accept d',
    data: { hint: 'rye sign a' },
  }
  expect(namePlace(answer, "--project '/it'\\''s'", 'add')).toEqual({
    next: ["rye --project '/it'\\''s' sign a"],
    checks: [{ message: 'rye sign a', fix: "rye --project '/it'\\''s' sign a" }],
    failed: [{ hint: "rye --project '/it'\\''s' sign a" }],
    sources: [{ accept_command: "rye --project '/it'\\''s' add x --accept d", description: 'rye sign a' }],
    message: "to accept: rye --project '/it'\\''s' add x --accept d",
    data: { hint: 'rye sign a' },
  })
})

it('leaves a sentence about other projects', () => {
  const answer = { message: 'sign those again with `rye sign GLOB --take-over`' }
  expect(namePlace(answer, '--project P', 'keys rotate')).toEqual(answer)
})

it('names it in commands that are made for the eye, and in no text of others', () => {
  expect(nameShown('mcp add', 'read them, then: rye sign a && rye sign b', '--project P')).toBe(
    'read them, then: rye --project P sign a && rye --project P sign b',
  )
  expect(nameShown('load', 'then: rye sign a', '--project P')).toBe('then: rye sign a')
})

it.each([
  [{}, undefined],
  [{ project: 'P' }, '--project P'],
  [{ elsewhere: '../there' }, '-C ../there'],
  [{ elsewhere: "it's", project: '' }, "-C 'it'\\''s' --project ''"],
])('%j is named again as %s', (place, flags) => {
  expect(placeFlags(place)).toBe(flags)
})
