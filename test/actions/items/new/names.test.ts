import { expect, it } from 'vitest'
import { scratch, skill, tool } from '../../../workspace/scratch.ts'

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

const UNFOUND = [
  ['tool', 'a/_b', 'names that begin with `_` are of files that items use, not of items'],
  ['tool', '_a/b', 'names that begin with `_` are of files that items use, not of items'],
  ['tool', 'a/node_modules/b', 'folders called `node_modules` are not searched for items'],
  ['skill', 'node_modules/kit', 'folders called `node_modules` are not searched for items'],
  ['skill', 'pdf/part', 'a folder inside a skill is a part of it: choose another id'],
  ['skill', 'in', 'a folder inside a skill is a part of it: choose another id'],
] as const

it.each(UNFOUND)('no %s is made or moved to %s, where nothing would find it', async (item_type, id, hint) => {
  const made = await scratch({
    '.ai/tools/mine.py': tool('mine'),
    '.ai/skills/pdf/SKILL.md': skill('pdf'),
    '.ai/skills/in/ner/SKILL.md': skill('ner'),
    '.ai/skills/mine/SKILL.md': skill('mine'),
  })
  expect(await made.run('new', { item_type, item_id: id })).toMatchObject({ code: 'INVALID_ID', hint })
  const moved = await made.run('mv', { item_type, item_id: 'mine', to: id })
  expect(moved).toMatchObject({ code: 'INVALID_ID', hint })
  const { items } = await made.run('list', { source: 'project' })
  expect(items).toHaveLength(4)
})

it('a skill is moved to what a skill may be called, also into and out of its own folder', async () => {
  const made = await scratch({ '.ai/skills/pdf/SKILL.md': skill('pdf') })
  const mv = (item_id: string, to: string) => made.run('mv', { item_type: 'skill', item_id, to })
  expect(await mv('pdf', 'Paper_Kit')).toMatchObject({ code: 'INVALID_ID', hint: 'try `paper-kit`' })
  expect(await mv('pdf', 'pdf/kit')).toMatchObject({ status: 'moved' })
  expect(await mv('pdf/kit', 'pdf')).toMatchObject({ status: 'moved' })
})
