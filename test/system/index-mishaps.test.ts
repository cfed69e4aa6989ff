// What may happen to the index of a project while a server has it open: a server answers from the files all the same.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { until } from '../fixtures/patience.ts'
import { knowledge } from '../workspace/scratch.ts'
import { connectStdio, ERAS, searchFor } from './mcp-world.ts'
import { makePlace, type Place, PROGRAM } from './run-rye.ts'

const ITEMS = 300

let place: Place
let state: string
let client: Awaited<ReturnType<typeof connectStdio>>['client']
beforeEach(async () => {
  place = makePlace()
  state = join(place.project, '.ai/state')
  mkdirSync(join(place.project, '.ai/knowledge'), { recursive: true })
  for (let number = 0; number < ITEMS; number++)
    writeFileSync(
      join(place.project, `.ai/knowledge/k${number}.md`),
      knowledge(`k${number}`, { body: 'water' }),
    )
  const world = { root: place.root, project: place.project, env: place.environment, write: () => {} }
  client = (await connectStdio(world, ERAS[0][1])).client
  await until(async () => (await found()) === ITEMS)
})
afterEach(() => place.remove())

async function found(): Promise<unknown> {
  return (await searchFor(client, { query: 'water', source: 'project' })).total
}

describe('a server answers from the files', () => {
  it('after another process built the index anew', async () => {
    expect((await place.rye(['index', '--rebuild'])).status).toBe(0)
    expect(await found()).toBe(ITEMS)
  })

  it('after another process was killed while it did', async () => {
    const before = statSync(join(state, 'index.sqlite')).ino
    const rebuild = spawn(process.execPath, [PROGRAM, 'index', '--rebuild'], {
      cwd: place.project,
      env: place.environment,
      stdio: 'ignore',
    })
    const closed = once(rebuild, 'close')
    await until(() => statSync(join(state, 'index.sqlite'), { throwIfNoEntry: false })?.ino !== before)
    rebuild.kill('SIGKILL')
    await closed
    await until(async () => (await found()) === ITEMS)
  })

  it('after all that git ignores was removed, and hides its index from git again', async () => {
    rmSync(state, { recursive: true })
    await until(async () => (await found()) === ITEMS)
    expect(readdirSync(state)).toContain('.gitignore')
    expect(statSync(state).mode & 0o777).toBe(0o700)
  })

  it('after a link was put in the place of its folder, and writes nothing there', async () => {
    const elsewhere = join(place.root, 'elsewhere')
    mkdirSync(elsewhere)
    rmSync(state, { recursive: true })
    symlinkSync(elsewhere, state)
    await until(async () => (await found()) === ITEMS)
    expect(readdirSync(elsewhere)).toEqual([])
    expect(existsSync(join(state, 'index.sqlite'))).toBe(false)
  })
})
