import { expect, it } from 'vitest'
import { scratch } from '../../../workspace/scratch.ts'

it.each([
  ['skill', 'Foo_', 'try `foo`'],
  ['skill', 'My--Skill', 'try `my-skill`'],
  ['directive', 'Ship-It', 'try `ship_it`'],
  ['directive', '1st', undefined],
])('a %s cannot be called %s, and only what can be is suggested', async (item_type, item_id, hint) => {
  const made = await scratch({})
  const error = await made.run('new', { item_type, item_id }).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'INVALID_ID' })
  expect((error as { hint?: unknown }).hint).toBe(hint)
})
