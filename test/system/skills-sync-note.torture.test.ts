// The note that lets a sync do nothing: when it is believed, and when not. On a real LanceDB.
import {
  appendFileSync,
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
import { startScan } from '../../src/skills/folders/scan-again.ts'
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
  const { kept: scan } = (await startScan([LIBRARY]))(undefined)
  const rows = await collectRows(foldersIn(LIBRARY))
  await table.sync(rows, scan)
  return { table, rows, scan }
}

/** The lines of the folders, and the line after them; what `find` found is the rest. */
function readNote() {
  const bytes = readFileSync(join(uri, '.skills-sync'))
  const start = bytes.indexOf('\n') + 1
  const end = start + Number(bytes.toString('latin1', 0, start))
  const lines = bytes.toString('utf8', start, end)
  return { lines, head: JSON.parse(bytes.toString('utf8', end, bytes.indexOf('\n', end))) }
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
    const { table, rows, scan } = await synced(place())
    expect(await table.recall()).toMatchObject({ folders: rows.folders, ...(scan && { scan }) })
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
    await openSkillTable({ uri }).sync(await collectRows({ all: () => foldersIn(LIBRARY).all().slice(1) }))
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
    const { lines, head } = readNote()
    const { about } = head
    const withNote = (changes: object, text = lines) =>
      `${Buffer.byteLength(text)}\n${text}${JSON.stringify({ ...head, folders: [], about: { ...about, ...changes } })}\n`
    const withFolders = (changes: object) => withNote({ folders: { ...about.folders, ...changes } })
    const [fact] = about.folders.facts
    for (const text of [
      '',
      '0',
      '99999999\n',
      '{',
      '0\n[]',
      '0\n{"scanner":3}',
      withNote({ folders: [] }),
      withNote({ version: null }),
      withNote({}, lines.replace('git', 'gut')),
      withFolders({ facts: [fact, null] }),
      withFolders({ facts: [[fact[0], {}]] }),
      withFolders({ unsettled: [1] }),
    ]) {
      writeFileSync(path, text)
      expect(await table.recall(), text.slice(0, 40)).toBeUndefined()
    }
    writeFileSync(path, withNote({}))
    expect(await table.recall()).toBeDefined()
  })

  it.each([
    ['before the first commit', (texts: readonly string[]) => texts[0] === 'dimension'],
    ['between the first look and the first commit', (texts: readonly string[]) => texts[0] !== 'dimension'],
  ])('is only written for rows that are there, where another program wrote %s', async (_when, isMoment) => {
    const skills = join(root, 'skills')
    cpSync(LIBRARY, skills, { recursive: true })
    let meddle: (() => Promise<unknown>) | undefined
    const embed = async (texts: readonly string[]) => {
      if (isMoment(texts)) await meddle?.()
      return texts.map(() => Float32Array.of(1))
    }
    const open = () => openSkillTable({ uri, embedder: providedTexts({ model: 'm', embed }) })
    await open().sync(await collectRows(foldersIn(skills)))
    appendFileSync(join(skills, 'git/SKILL.md'), 'More.\n')
    const table = open()
    const collected = await collectRows(foldersIn(skills), (await table.recall())!.folders)
    const foreign = await (await openForeign()).openTable('skills')
    meddle = () => {
      meddle = undefined
      return foreign.delete("id = 'memory'")
    }
    expect(await table.sync(collected)).toMatchObject({ deleted: [] })
    await foreign.checkoutLatest()
    const stored = await foreign.query().select(['id', 'digest']).toArray()
    const wanted = [...collected.wanted()].map(([id, digest]) => [id, `${digest} m`])
    expect(stored.map(({ id, digest }) => [id, digest]).sort()).toEqual(wanted.sort())
    expect((await table.recall())?.folders).toEqual(collected.folders)
  })

  it('of an edit is written without a look at the rows of the table', async () => {
    const skills = join(root, 'skills')
    cpSync(LIBRARY, skills, { recursive: true })
    await openSkillTable({ uri }).sync(await collectRows(foldersIn(skills)))
    const versions = () => readdirSync(join(uri, 'skills.lance/_versions')).length
    const before = versions()
    for (const edit of [1, 2, 3]) {
      appendFileSync(join(skills, 'git/SKILL.md'), 'More.\n')
      const table = openSkillTable({ uri })
      const { wanted, ...collected } = await collectRows(foldersIn(skills), (await table.recall())!.folders)
      const unasked = () => expect.unreachable('all rows were compared')
      expect((await table.sync({ ...collected, wanted: unasked })).updated).toContain('git')
      expect(versions()).toBe(before + edit)
      table.close()
    }
  })

  it('is not there when a writer kept changing the table, and the sync says so', async () => {
    const { table, rows } = await synced()
    const foreign = await (await openForeign()).openTable('skills')
    const embed = async (texts: readonly string[]) => {
      // The embedding takes a while; meanwhile another program writes.
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
    const git = () => /^"git@ git [^"]*"\t\["(?<stamp>\w+)"/m.exec(readNote().lines)?.groups?.stamp
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
