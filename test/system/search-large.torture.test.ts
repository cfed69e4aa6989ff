// A large library, searched by real processes: most searches find all files unchanged, and the next change is
// still seen.
import { mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseSync } from '@photostructure/sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ballast } from '../fixtures/ballast.ts'
import { indexFile } from '../fixtures/kept-places.ts'
import { knowledge } from '../workspace/scratch.ts'
import { makePlace, type Place } from './run-rye.ts'

let place: Place
beforeAll(() => {
  place = makePlace()
  mkdirSync(join(place.project, '.ai/knowledge'), { recursive: true })
  // The size of the index is what counts.
  for (let number = 0; number < 20; number++) write(`ballast${number}`, ballast())
  write('bread', 'flour and water')
})
afterAll(() => place.remove())

function pathOf(id: string): string {
  return join(place.project, `.ai/knowledge/${id}.md`)
}

function write(id: string, body: string): void {
  writeFileSync(pathOf(id), knowledge(id, { body }))
}

async function found(query: string): Promise<string[]> {
  const ran = await place.start(['search', query, '--source', 'project', '--match', 'all', '--json'])
  return ran.json().results.map((result: { id: string }) => result.id)
}

/** The stamp of `find` that the index keeps. */
function kept(): string | undefined {
  const database = new DatabaseSync(indexFile(place.environment.XDG_CACHE_HOME!, place.project), {
    readOnly: true,
  })
  const row = database
    .prepare(`SELECT value ->> 'findStamp' AS stamp FROM meta WHERE key = 'last refresh'`)
    .get()
  database.close()
  return (row as { stamp: string | null } | undefined)?.stamp ?? undefined
}

/** Waits until files are old enough to be believed. */
const settle = () => pause(2500)

describe.runIf(process.platform === 'linux')('a search of a large library', () => {
  it('asks `find` once it has walked the files', async () => {
    expect(await found('flour')).toEqual(['bread'])
    expect(statSync(indexFile(place.environment.XDG_CACHE_HOME!, place.project)).size).toBeGreaterThan(
      1_000_000,
    )
    await settle()
    expect(await found('flour')).toEqual(['bread'])
    const first = kept()
    expect(first).toMatch(/^[0-9a-f]{64}$/)
    expect(await found('flour')).toEqual(['bread'])
    expect(kept()).toBe(first)
  })

  it('finds what was written in place a moment ago, of the same length and with the old time', async () => {
    const path = pathOf('bread')
    const { atime, mtime } = statSync(path)
    writeFileSync(path, readFileSync(path, 'utf8').replace('flour', 'wheat'))
    utimesSync(path, atime, mtime)
    expect(await found('wheat')).toEqual(['bread'])
    expect(await found('flour')).toEqual([])
    await settle()
    expect(await found('wheat')).toEqual(['bread'])
    expect(await found('flour')).toEqual([])
  })

  it('is of the project that its flag names, not of the one it is called in', async () => {
    const other = join(place.root, 'other')
    mkdirSync(join(other, '.ai/knowledge'), { recursive: true })
    writeFileSync(join(other, '.ai/knowledge/cheese.md'), knowledge('cheese', { body: 'milk' }))
    for (const flag of [['--project', other], [`--project=${other}`]]) {
      const ran = await place.start(['search', 'milk', ...flag, '--source', 'project', '--json'])
      expect(ran.json().results.map((result: { id: string }) => result.id)).toEqual(['cheese'])
    }
    expect(await found('wheat')).toEqual(['bread'])
  })

  it('finds a new file, and misses one that is gone', async () => {
    write('soup', 'onions and water')
    expect(await found('onions')).toEqual(['soup'])
    await settle()
    expect(await found('onions')).toEqual(['soup'])
    await place.run('rm', [pathOf('soup')])
    expect(await found('onions')).toEqual([])
    expect(await found('onions')).toEqual([])
  })

  it('is brought up to date by `rye index` too, with the report of the last time', async () => {
    await settle()
    const first = (await place.start(['index', '--json'])).json()
    const again = (await place.start(['index', '--json'])).json()
    expect(kept()).toBeDefined()
    expect(again).toEqual({ ...first, duration_ms: again.duration_ms })
    write('bread', 'rye and water')
    const changed = (await place.start(['index', '--json'])).json()
    expect(changed).toMatchObject({ added: 0, updated: 1, deleted: 0, items: first.items })
  })

  it('walks the files where there is no place for the output of `find`', async () => {
    await settle()
    const env = { TMPDIR: join(place.root, 'missing') }
    const ran = await place.start(['search', 'rye water', '--source', 'project', '--json'], { env })
    expect(ran.json().results[0].id).toBe('bread')
  })
})
