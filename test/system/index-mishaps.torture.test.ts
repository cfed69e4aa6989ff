// Accidents to a project's index while a server has it open: the server still answers from the files.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { indexFile } from '../fixtures/kept-places.ts'
import { until } from '../fixtures/patience.ts'
import { knowledge } from '../workspace/scratch.ts'
import { connectStdio, ERAS, searchFor } from './mcp-world.ts'
import { makePlace, type Place, PROGRAM } from './run-rye.ts'

const ITEMS = 300

let place: Place
let client: Awaited<ReturnType<typeof connectStdio>>['client']
beforeEach(async () => {
  place = makePlace()
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
    const path = indexFile(place.environment.XDG_CACHE_HOME!, place.project)
    const before = statSync(path).ino
    const rebuild = spawn(process.execPath, [PROGRAM, 'index', '--rebuild'], {
      cwd: place.project,
      env: place.environment,
      stdio: 'ignore',
    })
    const closed = once(rebuild, 'close')
    await until(() => statSync(path, { throwIfNoEntry: false })?.ino !== before)
    rebuild.kill('SIGKILL')
    await closed
    await until(async () => (await found()) === ITEMS)
  })

  it('after the cache was removed, and makes a private one again', async () => {
    const folder = dirname(indexFile(place.environment.XDG_CACHE_HOME!, place.project))
    rmSync(place.environment.XDG_CACHE_HOME!, { recursive: true })
    await until(async () => (await found()) === ITEMS)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  it('after a link was put in the place of its folder, and writes nothing there', async () => {
    const elsewhere = join(place.root, 'elsewhere')
    const folder = dirname(indexFile(place.environment.XDG_CACHE_HOME!, place.project))
    mkdirSync(elsewhere)
    rmSync(folder, { recursive: true })
    symlinkSync(elsewhere, folder)
    await until(async () => (await found()) === ITEMS)
    expect(readdirSync(elsewhere)).toEqual([])
  })
})
