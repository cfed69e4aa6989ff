import { expect, it } from 'vitest'
import { nameProject } from '../../src/surfaces/cli/advised-commands.ts'

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
  expect(nameProject({ hint }, 'P')).toEqual({ hint: named })
})

it('names the project wherever an answer advises, and nowhere else', () => {
  const answer = {
    next: ['rye sign a'],
    checks: [{ message: 'rye sign a', fix: 'rye sign a' }],
    failed: [{ hint: 'rye sign a' }],
    data: { hint: 'rye sign a' },
  }
  expect(nameProject(answer, "/it's")).toEqual({
    next: ["rye --project '/it'\\''s' sign a"],
    checks: [{ message: 'rye sign a', fix: "rye --project '/it'\\''s' sign a" }],
    failed: [{ hint: "rye --project '/it'\\''s' sign a" }],
    data: { hint: 'rye sign a' },
  })
})
