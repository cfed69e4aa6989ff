// The built program finds a name in a question first, even among thousands of items that have all its words.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { knowledge } from '../workspace/scratch.ts'
import { makePlace, type Place } from './run-rye.ts'

const OTHERS = 2000

let place: Place
beforeAll(() => {
  place = makePlace()
  for (const name of ['frontend-design', 'mcp-builder']) {
    const folder = join(place.project, '.claude/skills', name)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'SKILL.md'), `---\nname: ${name}\ndescription: Use it when asked\n---\n`)
  }
  const others = join(place.project, '.ai/knowledge/others')
  mkdirSync(others, { recursive: true })
  const description = 'Wrap a command, design a frontend, a builder for MCP, with every skill'
  for (let number = 0; number < OTHERS; number++) {
    const id = `others/frontend-design-mcp-builder-wrap-command-${number}`
    writeFileSync(join(place.project, `.ai/knowledge/${id}.md`), knowledge(id, { description }))
  }
})
afterAll(() => place.remove())

it.each([
  ['frontend design skill', 'skill', 'frontend-design'],
  ['mcp builder', 'skill', 'mcp-builder'],
  ['the MCP builder skill, please', 'skill', 'mcp-builder'],
  ['wrap a command', 'knowledge', 'rye/authoring/wrap-a-command'],
  ['how do I wrap a command', 'knowledge', 'rye/authoring/wrap-a-command'],
])('%s', async (question, type, id) => {
  const { results, total } = (await place.rye(['search', question, '--json'])).json()
  expect(total).toBeGreaterThan(OTHERS)
  expect(results[0]).toMatchObject({ type, id })
})
