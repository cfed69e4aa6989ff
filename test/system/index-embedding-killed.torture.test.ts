// An index with a provider's vectors, killed while it waits for them: what it has is kept, and the next run
// requests the rest.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { until } from '../fixtures/patience.ts'
import { type EmbeddingsServer, startEmbeddings } from './embeddings-server.ts'
import { makePlace, type Place, PROGRAM } from './run-rye.ts'

const ITEMS = 300
const ANSWERED = 3
const AXES = [
  ['undo', 'rollback'],
  ['soup', 'kitchen'],
]

let place: Place
let provider: EmbeddingsServer
beforeAll(async () => {
  place = makePlace()
  provider = await startEmbeddings(AXES)
  const config = join(place.user, '.ai/config')
  mkdirSync(config, { recursive: true })
  writeFileSync(join(config, 'rye.toml'), `[embeddings]\nurl = "${provider.url}"\nmodel = "test"\n`)
  const folder = join(place.project, '.ai/knowledge/notes')
  mkdirSync(folder, { recursive: true })
  for (let number = 0; number < ITEMS; number++) {
    const subject = number === 7 ? 'rollback of a release' : 'soup of the day'
    writeFileSync(
      join(folder, `note${number}.md`),
      `---\nname: note${number}\ntitle: Note ${number}\nentry_type: reference\ncategory: notes\nversion: "1.0.0"\ndescription: about the ${subject}\n---\n\nText ${number}.\n`,
    )
  }
})
afterAll(async () => {
  await provider.close()
  place.remove()
})

const asked = () =>
  provider.requests.flatMap(({ inputs }) => inputs.flatMap(text => /note ?\d+/i.exec(text)?.[0] ?? []))

it('keeps what was embedded, and asks only for the rest', async () => {
  provider.answersLeft = ANSWERED
  const child = spawn(process.execPath, [PROGRAM, 'index', '--json'], {
    cwd: place.project,
    env: place.environment,
    stdio: 'ignore',
  })
  // Some answers have arrived, and it waits for one that never comes.
  await until(() => provider.requests.length > ANSWERED)
  child.kill('SIGKILL')
  await once(child, 'exit')
  const first = asked()

  provider.answersLeft = Number.POSITIVE_INFINITY
  provider.requests.length = 0
  const again = await place.rye(['index', '--json'])
  expect(again.status, again.stderr).toBe(0)
  const rest = asked()
  expect(new Set([...first, ...rest]).size).toBe(ITEMS)
  expect(rest.length).toBeLessThan(ITEMS)
  expect(new Set(rest).size).toBe(rest.length)

  provider.requests.length = 0
  const found = (await place.rye(['search', 'undo what we did', '--source', 'project', '--json'])).json()
  expect(found).toMatchObject({ search_type: 'hybrid', results: [{ id: 'notes/note7' }] })
  expect(asked()).toEqual([])
})
