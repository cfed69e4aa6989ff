// A clone with very many files, and an id that none of them has: suggesting another id must not cost a look
// at each.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makePlace, type Place } from '../run-rye.ts'

const FOLDERS = 20
const IN_FOLDER = 1500
const COUNTER = fileURLToPath(new URL('./count-looks.mjs', import.meta.url))

let place: Place
beforeAll(() => {
  place = makePlace()
  for (let i = 0; i < FOLDERS; i++) {
    const folder = join(place.project, `.ai/knowledge/f${i}`)
    mkdirSync(folder, { recursive: true })
    for (let j = 0; j < IN_FOLDER; j++) writeFileSync(join(folder, `note${j}.md`), '')
  }
  mkdirSync(join(place.project, '.ai/tools/team'), { recursive: true })
  writeFileSync(join(place.project, '.ai/tools/team/deploy.sh'), '')
})
afterAll(() => place.remove())

it.each([
  ['in a folder', 'knowledge:f7/nothing-of-the-kind', undefined],
  ['at the top', 'knowledge:nothing-of-the-kind', undefined],
  ['of no type', 'nothing-of-the-kind', undefined],
  ['near another', 'tool:team/deplyo', 'did you mean `team/deploy`?'],
  ['of another type', 'knowledge:team/deploy', 'there is `tool:team/deploy@project`'],
])('a wrong id %s costs a bounded number of looks', async (_title, id, hint) => {
  const file = join(place.root, 'count')
  const env = { NODE_OPTIONS: `--import=${COUNTER}`, COUNT_FILE: file }
  const ran = await place.start(['load', id, '--json'], { env })
  expect(ran.json()).toMatchObject({ code: 'ITEM_NOT_FOUND', ...(hint !== undefined && { hint }) })
  const looks = Number(readFileSync(file, 'utf8'))
  expect(looks).toBeGreaterThan(0)
  expect(looks).toBeLessThan((FOLDERS * IN_FOLDER) / 3)
})
