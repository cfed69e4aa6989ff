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
import { startLook } from '../../src/skills/folders/look-again.ts'
import { collectRows, isUnchanged } from '../../src/skills/table/collect-rows.ts'
import { openSkillTable } from '../../src/skills/table/lance/skill-table.ts'
import { rewriteInPlace } from '../files/rewrite-in-place.ts'
import { foldersIn, LIBRARY } from '../skills/library.ts'
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

async function synced(at = uri) {
  const table = openSkillTable({ uri: at })
  const { kept: look } = (await startLook([LIBRARY]))(undefined)
  const rows = await collectRows(foldersIn(LIBRARY))
  await table.sync(rows, look)
  return { table, rows, look }
}

/** The first line of the note; what `find` found comes after it. */
function readNote() {
  const bytes = readFileSync(join(uri, '.skills-sync'))
  return JSON.parse(bytes.toString('utf8', 0, bytes.indexOf('\n')))
}

async function openForeign() {
  const { connect } = await import('@lancedb/lancedb')
  return connect(uri)
}

describe.each([
  ['in a directory', () => uri],
  ['at an address', () => `file://${uri}`],
])('a note %s', (_where, place) => {
  it('is believed while the table is as it was, and keeps what was known of the folders', async () => {
    const { table, rows, look } = await synced(place())
    expect(await table.recall()).toMatchObject({ folders: rows.folders, ...(look && { look }) })
    expect(isUnchanged(foldersIn(LIBRARY), (await table.recall())!.folders)).toBe(true)
    await table.search('commit')
    table.close()
    const again = openSkillTable({ uri: place() })
    expect((await again.recall())?.folders).toEqual(rows.folders)
    again.close()
  })

  it('is not believed after another program wrote to the table', async () => {
    const { table } = await synced(place())
    const foreign = await (await openForeign()).openTable('skills')
    await foreign.delete("id = 'git.status'")
    expect(await table.recall()).toBeUndefined()
  })

  it('is not believed after the table was dropped', async () => {
    const { table } = await synced(place())
    await (await openForeign()).dropTable('skills')
    expect(await table.recall()).toBeUndefined()
  })

  it('is not believed with another model of embeddings, or under another trust', async () => {
    await synced(place())
    const embed = async (texts: readonly string[]) => texts.map(() => Float32Array.of(1))
    const embedder = providedTexts({ model: 'm', embed })
    expect(await openSkillTable({ uri: place(), embedder }).recall()).toBeUndefined()
    expect(await openSkillTable({ uri: place(), trust: 'other' }).recall()).toBeUndefined()
    expect(await openSkillTable({ uri: place() }).recall()).toBeDefined()
  })
})

describe('a note in a directory', () => {
  it('is not believed for a table that was made again with as many commits', async () => {
    const { table } = await synced()
    const note = readFileSync(join(uri, '.skills-sync'))
    rmSync(uri, { recursive: true })
    await openSkillTable({ uri }).sync(await collectRows(foldersIn(LIBRARY).slice(1)))
    writeFileSync(join(uri, '.skills-sync'), note)
    expect(await table.recall()).toBeUndefined()
  })

  it('is not believed after data of the table went missing', async () => {
    const { table } = await synced()
    rmSync(join(uri, 'skills.lance/data'), { recursive: true })
    expect(await table.recall()).toBeUndefined()
  })

  it('is not believed after a file of the table was written in place, its size, inode and time as before', async () => {
    const data = join(uri, 'skills.lance/data')
    const { table, rows } = await synced()
    const path = join(data, readdirSync(data)[0]!)
    const bytes = readFileSync(path, 'latin1')
    utimesSync(path, 1e9, 1e9)
    await table.sync(rows)
    expect(await table.recall()).toBeDefined()
    rewriteInPlace(path, readFileSync(path))
    expect(await table.recall()).toBeUndefined()
    expect(readFileSync(path, 'latin1')).toBe(bytes)
  })

  it('goes with no copy of the table', async () => {
    const { table } = await synced()
    table.close()
    const copy = join(root, 'copy')
    cpSync(uri, copy, { recursive: true })
    expect(await openSkillTable({ uri: copy }).recall()).toBeUndefined()
  })

  it('that holds anything else is none', async () => {
    const { table } = await synced()
    const path = join(uri, '.skills-sync')
    const { about: note, ...rest } = readNote()
    const [key] = Object.keys(note.folders)
    const withNote = (about: unknown) => `${JSON.stringify({ ...rest, folders: [], about })}\n`
    for (const text of [
      '',
      '{',
      '[]',
      '{"scanner":3}',
      withNote({ ...note, folders: [] }),
      withNote({ ...note, folders: { ...note.folders, [key!]: null } }),
      withNote({ ...note, folders: { ...note.folders, [key!]: { stamp: 's', rows: {}, facts: {} } } }),
    ]) {
      writeFileSync(path, text)
      expect(await table.recall(), text.slice(0, 40)).toBeUndefined()
    }
    writeFileSync(path, withNote(note))
    expect(await table.recall()).toBeDefined()
  })

  it('is not there when a writer kept changing the table, and the sync says so', async () => {
    const { table, rows } = await synced()
    const foreign = await (await openForeign()).openTable('skills')
    const embed = async (texts: readonly string[]) => {
      // Whoever embeds takes a while; meanwhile another program writes.
      await foreign.delete(`id = 'none'`)
      return texts.map(() => Float32Array.of(1))
    }
    const meddled = openSkillTable({ uri, embedder: providedTexts({ model: 'm', embed }) })
    await expect(meddled.sync(rows)).rejects.toMatchObject({ code: 'REMOTE_FAILED' })
    expect(await meddled.recall()).toBeUndefined()
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
    expect(existsSync(join(uri, '.skills-sync'))).toBe(true)
    const note = () => readNote().about
    const git = () => note().folders['git@ git'].stamp
    expect(git()).toMatch(/^[0-9a-f]{64}$/)
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
    const before = git()
    rewriteInPlace(path, text.replace('commit', 'timmoc'))
    expect((await sync()).updated).not.toEqual([])
    expect(git()).not.toBe(before)
  })
})
