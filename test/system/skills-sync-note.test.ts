// What lets a sync do nothing: when the note of the last one is believed, and when it is not. On a real LanceDB.
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { providedTexts } from '../../src/search/meaning/text-embedder.ts'
import { findSkillFolders } from '../../src/skills/folders/find-skill-folders.ts'
import { scanSkills } from '../../src/skills/read/scan-skills.ts'
import { openSkillTable } from '../../src/skills/table/lance/skill-table.ts'
import { buildRows } from '../../src/skills/table/tool-row.ts'
import { rewriteInPlace } from '../files/rewrite-in-place.ts'
import { LIBRARY } from '../skills/library.ts'
import { scratch } from '../workspace/scratch.ts'

let root: string
let uri: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'rye-note-'))
  uri = join(root, 'db')
})
afterEach(() => {
  vi.useRealTimers()
  rmSync(root, { recursive: true, force: true })
})

const NEVER = () => {
  throw new Error('the files were read')
}
const TOUCHED = { stamp: 'touched', fingerprint: () => 'f1' }
const SAME = { stamp: 's1', fingerprint: NEVER }

async function goldenRows() {
  return buildRows((await scanSkills(findSkillFolders(LIBRARY).folders())).skills)
}

async function synced(at = uri) {
  const table = openSkillTable({ uri: at })
  const rows = await goldenRows()
  await table.sync({ rows, stamp: 's1', fingerprint: 'f1' })
  return { table, rows }
}

async function openForeign() {
  const { connect } = await import('@lancedb/lancedb')
  return connect(uri)
}

describe.each([
  ['in a directory', () => uri],
  ['at an address', () => `file://${uri}`],
])('a note %s', (_where, place) => {
  it('is believed while files and table are as they were, without a look into a file', async () => {
    const { table, rows } = await synced(place())
    const report = { added: [], updated: [], deleted: [], unchanged_count: rows.length }
    expect(await table.unchanged(SAME)).toEqual({ report, diagnostics: [] })
    await table.search('commit')
    table.close()
    const again = openSkillTable({ uri: place() })
    expect(await again.unchanged(SAME)).toMatchObject({ report })
    again.close()
  })

  it('is believed by contents when files were touched, and then by the new stamp', async () => {
    const { table } = await synced(place())
    expect(await table.unchanged(TOUCHED)).toBeDefined()
    expect(await table.unchanged({ stamp: 'touched', fingerprint: NEVER })).toBeDefined()
    expect(await table.unchanged({ stamp: undefined, fingerprint: () => 'f1' })).toBeDefined()
    expect(await table.unchanged({ stamp: undefined, fingerprint: () => 'f2' })).toBeUndefined()
    expect(await table.unchanged({ stamp: 'other', fingerprint: () => 'f2' })).toBeUndefined()
  })

  it('is not believed after another program wrote to the table', async () => {
    const { table } = await synced(place())
    const foreign = await (await openForeign()).openTable('skills')
    await foreign.delete("id = 'git.status'")
    expect(await table.unchanged(SAME)).toBeUndefined()
  })

  it('is not believed after the table was dropped', async () => {
    const { table } = await synced(place())
    await (await openForeign()).dropTable('skills')
    expect(await table.unchanged(SAME)).toBeUndefined()
  })

  it('is not believed with another model of embeddings', async () => {
    await synced(place())
    const embed = async (texts: readonly string[]) => texts.map(() => Float32Array.of(1))
    const table = openSkillTable({ uri: place(), embedder: providedTexts({ model: 'm', embed }) })
    expect(await table.unchanged(SAME)).toBeUndefined()
  })
})

describe('a note in a directory', () => {
  it('is not believed for a table that was made again with as many commits', async () => {
    const { table, rows } = await synced()
    const note = readFileSync(join(uri, '.skills-sync.json'), 'utf8')
    rmSync(uri, { recursive: true })
    const other = openSkillTable({ uri })
    await other.sync({ rows: rows.slice(1), stamp: 's2', fingerprint: 'f2' })
    writeFileSync(join(uri, '.skills-sync.json'), note)
    expect(await table.unchanged(SAME)).toBeUndefined()
  })

  it('is not believed after data of the table went missing', async () => {
    const { table } = await synced()
    rmSync(join(uri, 'skills.lance/data'), { recursive: true })
    expect(await table.unchanged(SAME)).toBeUndefined()
  })

  it('is not believed after a file of the table was written in place, its size, inode and time as before', async () => {
    const data = join(uri, 'skills.lance/data')
    const { table } = await synced()
    const path = join(data, readdirSync(data)[0]!)
    const bytes = readFileSync(path, 'latin1')
    utimesSync(path, 1e9, 1e9)
    await table.sync({ rows: await goldenRows(), stamp: 's1', fingerprint: 'f1' })
    expect(await table.unchanged(SAME)).toBeDefined()
    rewriteInPlace(path, readFileSync(path))
    expect(await table.unchanged(SAME)).toBeUndefined()
    expect(readFileSync(path, 'latin1')).toBe(bytes)
  })

  it('goes with no copy of the table', async () => {
    const { table } = await synced()
    table.close()
    const copy = join(root, 'copy')
    cpSync(uri, copy, { recursive: true })
    expect(await openSkillTable({ uri: copy }).unchanged(SAME)).toBeUndefined()
  })

  it.each([
    ['', 'nothing'],
    ['{', 'half an object'],
    ['[]', 'a list'],
    ['{"scanner":1,"fingerprint":"f1"}', 'a part'],
  ])('that holds %j (%s) is none', async text => {
    const { table } = await synced()
    writeFileSync(join(uri, '.skills-sync.json'), text)
    expect(await table.unchanged(SAME)).toBeUndefined()
  })

  it('is not there when a writer kept changing the table, and the sync says so', async () => {
    const { table } = await synced()
    const foreign = await (await openForeign()).openTable('skills')
    const embed = async (texts: readonly string[]) => {
      // Whoever embeds takes a while; meanwhile another program writes.
      await foreign.delete(`id = 'none'`)
      return texts.map(() => Float32Array.of(1))
    }
    const meddled = openSkillTable({ uri, embedder: providedTexts({ model: 'm', embed }) })
    const running = meddled.sync({ rows: await goldenRows(), stamp: 's1', fingerprint: 'f1' })
    await expect(running).rejects.toMatchObject({ code: 'REMOTE_FAILED' })
    expect(await meddled.unchanged(SAME)).toBeUndefined()
    table.close()
  })
})

describe('the command', () => {
  it('tells by times alone that nothing was touched, and notices one byte', async () => {
    const made = await scratch()
    const skills = join(root, 'skills')
    cpSync(LIBRARY, skills, { recursive: true })
    const sync = () => made.run('skills sync', { directory: skills, lance: uri })
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime(Date.now() + 60_000)
    const { diagnostics, added } = await sync()
    expect(existsSync(join(uri, '.skills-sync.json'))).toBe(true)
    const note = () => JSON.parse(readFileSync(join(uri, '.skills-sync.json'), 'utf8'))
    expect(note().stamp).toMatch(/^[0-9a-f]{64}$/)
    expect(await sync()).toEqual({
      added: [],
      updated: [],
      deleted: [],
      unchanged_count: added.length,
      diagnostics,
    })
    const path = join(skills, 'git/scripts/flow/commands.py')
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, `${text}\n`)
    vi.setSystemTime(Date.now() + 60_000)
    expect((await sync()).updated).not.toEqual([])
    // Put back: another time, the content that the note of the first sync had.
    writeFileSync(path, text)
    vi.setSystemTime(Date.now() + 60_000)
    expect((await sync()).updated).not.toEqual([])
    expect((await sync()).unchanged_count).toBe(added.length)
    utimesSync(path, 1e9, 1e9)
    expect((await sync()).unchanged_count).toBe(added.length)
    const before = note().stamp
    rewriteInPlace(path, text.replace('commit', 'timmoc'))
    expect((await sync()).updated).not.toEqual([])
    expect(note().stamp).not.toBe(before)
  })
})
