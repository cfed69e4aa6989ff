// A clone brings files where programs keep their state: an endless database, locks that never expire, a log
// too large to read. Nothing in a project is opened as any of those.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { indexFile, stateFolder } from '../../fixtures/kept-places.ts'
import { knowledge } from '../../workspace/scratch.ts'
import { makePlace, type Place, PROGRAM } from '../run-rye.ts'

/** A search that takes longer is one that hangs. */
const HANGS = 45_000
const ENDLESS = `
  CREATE VIEW meta AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS key, i AS value FROM n;
`
const TOOL = `#!/bin/bash
# __version__ = "1.0.0"
# __executor_id__ = "rye/core/runtimes/bash/bash"
# __tool_type__ = "bash"
# __category__ = ""
# __tool_description__ = "Say something"
# __concurrency__ = "exclusive"
echo '"ran"'
`

let place: Place
beforeEach(() => {
  place = makePlace()
  put('.ai/knowledge/bread.md', knowledge('bread', { body: 'flour' }))
})
afterEach(() => place.remove())

function put(path: string, text: string): string {
  const full = join(place.project, path)
  mkdirSync(dirname(full), { recursive: true })
  writeFileSync(full, text)
  return full
}

/** With the marks of our own database, which a search has made before. */
function plantDatabase(path: string, { application, version }: Marks): void {
  mkdirSync(dirname(path), { recursive: true })
  const database = new DatabaseSync(path)
  database.exec(ENDLESS)
  database.exec(`PRAGMA application_id = ${application}; PRAGMA user_version = ${version}`)
  database.close()
}

interface Marks {
  readonly application: number
  readonly version: number
}

function ownMarks(): Marks {
  const database = new DatabaseSync(ownIndex(), { readOnly: true })
  const row = database
    .prepare(
      'SELECT user_version AS version, application_id AS application FROM pragma_user_version, pragma_application_id',
    )
    .get() as Marks
  database.close()
  expect(row.version).toBeGreaterThan(0)
  return row
}

function ownIndex(): string {
  return indexFile(place.environment.XDG_CACHE_HOME!, place.project)
}

async function search(): Promise<string[]> {
  const words = ['-s', 'KILL', String(HANGS / 1000), process.execPath]
  const ran = await place.run('timeout', [
    ...words,
    PROGRAM,
    'search',
    'flour',
    '--source',
    'project',
    '--json',
  ])
  expect(ran.stderr).toBe('')
  return ran.json().results.map(({ id }: { id: string }) => id)
}

async function makeTool(): Promise<void> {
  put('.ai/tools/once.sh', TOOL)
  expect((await place.rye(['keys', 'generate'])).status).toBe(0)
  expect((await place.rye(['sign', 'tool:once'])).stderr).toBe('')
}

describe('a database without end', { timeout: 2 * HANGS }, () => {
  it('in a clone is not opened', async () => {
    expect(await search()).toEqual(['bread'])
    plantDatabase(join(place.project, '.ai/state/index.sqlite'), ownMarks())
    expect(await search()).toEqual(['bread'])
  })

  it('in the place of our own is refused by its tables, before anything in it is asked', async () => {
    expect(await search()).toEqual(['bread'])
    const marks = ownMarks()
    const path = ownIndex()
    for (const name of readdirSync(dirname(path)))
      if (name.startsWith('index.sqlite')) rmSync(join(dirname(path), name))
    plantDatabase(path, marks)
    expect(await search()).toEqual(['bread'])
  })
})

describe('a run', { timeout: 120_000 }, () => {
  it('is not kept from its lock by one that came with the project', async () => {
    await makeTool()
    const locks = join(place.project, '.ai/state/locks')
    const lock = { holders: [{ pid: 1, started: null }], owner: 'ffffffff', expires: 8e15, token: 'x' }
    const name = createHash('sha256').update('once').digest('hex').slice(0, 16)
    for (const ending of ['.lock', '.lock.break'])
      put(`.ai/state/locks/${name}${ending}`, JSON.stringify(lock))
    put('.ai/state/receipts.jsonl.lock', JSON.stringify(lock))
    const ran = await place.rye(['execute', 'once', '--timeout', '60', '--trace', '--json'])
    expect(ran.json()).toMatchObject({
      status: 'success',
      data: 'ran',
      receipt: expect.any(String),
    })
    expect(readdirSync(locks)).toHaveLength(2)
  })

  it('is not kept by a lock that claims to hold for ever, once its file is old', async () => {
    await makeTool()
    await place.rye(['execute', 'once'])
    const path = join(stateFolder(place.user, place.project), 'receipts.jsonl.lock')
    const lock = {
      holders: [{ pid: 1, started: null }],
      owner: `not-${hostname()}`,
      expires: 8e15,
      token: 'x',
    }
    writeFileSync(path, JSON.stringify(lock))
    await place.run('touch', ['-d', '1 hour ago', path])
    const ran = await place.rye(['execute', 'once', '--trace', '--json'])
    expect(ran.json()).toMatchObject({ receipt: expect.any(String) })
  })

  it('is recorded, though a clone has 600 MB of nothing as its log', async () => {
    await makeTool()
    truncateSync(put('.ai/state/receipts.jsonl', ''), 600_000_000)
    const answer = (await place.rye(['execute', 'once', '--trace', '--json'])).json()
    expect(answer).toMatchObject({ receipt: expect.any(String) })
    expect((await place.rye(['runs', '--json'])).json()).toMatchObject({ intact: true, total: 1 })
  })

  it('is recorded beside a log of 600 MB, which is put aside', async () => {
    await makeTool()
    await place.rye(['execute', 'once'])
    const folder = stateFolder(place.user, place.project)
    truncateSync(join(folder, 'receipts.jsonl'), 600_000_000)
    const answer = (await place.rye(['execute', 'once', '--trace', '--json'])).json()
    expect(answer).toMatchObject({ receipt: expect.any(String) })
    expect(readFileSync(join(folder, 'receipts.jsonl'), 'utf8')).toContain(answer.receipt)
    expect(readdirSync(folder)).toContain('receipts.1.jsonl')
  })
})
