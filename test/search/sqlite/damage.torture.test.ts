// Whatever is in a database's place, the index works: it starts empty and is filled again.
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openIndex, type SearchIndex } from '../../../src/search/sqlite/search-index.ts'
import { idsOf, itemOf, searchFor } from './library.ts'

let folder: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rye-index-'))
  path = join(folder, 'state', 'index.sqlite')
})

afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

const ITEMS = ['alpha', 'beta', 'gamma'].map(word =>
  itemOf({ id: word, fields: { content: [`about ${word}`] } }),
)

function open(): Promise<SearchIndex> {
  return openIndex(new Map([['project', path]]))
}

/** Brings the index up to date as a caller would, and searches. */
function fillAndSearch(index: SearchIndex): string[] {
  fill(index)
  const answer = searchFor(index, 'about')
  if (answer.reset.length === 0) return idsOf(answer)
  fill(index)
  return idsOf(searchFor(index, 'about'))
}

function fill(index: SearchIndex): void {
  const known = index.known('project')
  index.apply('project', {
    upsert: ITEMS.filter(item => known.get(item.path)?.hash !== item.hash),
    remove: [],
  })
}

async function makeSound(): Promise<void> {
  const index = await open()
  fillAndSearch(index)
  index.close()
}

async function expectWorks(): Promise<void> {
  const index = await open()
  expect(fillAndSearch(index)).toEqual(['alpha', 'beta', 'gamma'])
  index.close()
}

describe('an index begins anew when its place holds', () => {
  it('nothing', expectWorks)

  it('an empty file', async () => {
    mkdirSync(join(folder, 'state'))
    writeFileSync(path, '')
    await expectWorks()
  })

  it('something that is not a database', async () => {
    mkdirSync(join(folder, 'state'))
    writeFileSync(path, 'this is not a database at all, but long enough to be read as one '.repeat(100))
    await expectWorks()
  })

  it('a folder', async () => {
    mkdirSync(path, { recursive: true })
    await expectWorks()
  })

  it('a link, which is replaced and not followed', async () => {
    mkdirSync(join(folder, 'state'))
    writeFileSync(join(folder, 'precious'), 'precious')
    symlinkSync(join(folder, 'precious'), path)
    await expectWorks()
    expect(readFileSync(join(folder, 'precious'), 'utf8')).toBe('precious')
    expect(statSync(path).isFile()).toBe(true)
  })

  it.each(['-wal', '-shm', '-journal'])('a sound database whose %s is a link', async ending => {
    await makeSound()
    writeFileSync(join(folder, 'precious'), 'precious')
    rmSync(path + ending, { force: true })
    symlinkSync(join(folder, 'precious'), path + ending)
    await expectWorks()
    expect(readFileSync(join(folder, 'precious'), 'utf8')).toBe('precious')
  })

  it('a database of another program', async () => {
    mkdirSync(join(folder, 'state'))
    const other = new DatabaseSync(path)
    other.exec('CREATE TABLE item (x); INSERT INTO item VALUES (1)')
    other.close()
    await expectWorks()
  })

  it('an index of another version', async () => {
    await makeSound()
    const other = new DatabaseSync(path)
    other.exec('PRAGMA user_version = 99999')
    other.close()
    await expectWorks()
  })

  it('an index copied from somewhere else, whatever it says', async () => {
    await makeSound()
    const forged = new DatabaseSync(path)
    forged.exec(`UPDATE item SET description = 'forged'`)
    forged.close()
    // Both are there at once: an inode that was free could be given to the copy.
    copyFileSync(path, join(folder, 'copy'))
    renameSync(join(folder, 'copy'), path)
    const index = await open()
    expect(index.known('project').size).toBe(0)
    expect(fillAndSearch(index)).toEqual(['alpha', 'beta', 'gamma'])
    expect(searchFor(index, 'about').rows.map(row => row.description)).not.toContain('forged')
    index.close()
  })

  it('a link to a folder in the place of its own, where it may be told to go elsewhere', async () => {
    await makeSound()
    const elsewhere = join(folder, 'elsewhere')
    const paths = new Map([['project' as const, path]])
    const index = await openIndex(paths, {
      locate: () => new Map([['project', join(folder, 'cache', 'index.sqlite')]]),
    })
    rmSync(join(folder, 'state'), { recursive: true })
    mkdirSync(elsewhere)
    symlinkSync(elsewhere, join(folder, 'state'))
    expect(fillAndSearch(index)).toEqual(['alpha', 'beta', 'gamma'])
    index.close()
    expect(readdirSync(elsewhere)).toEqual([])
  })

  it('an index without some of its tables', async () => {
    await makeSound()
    const other = new DatabaseSync(path)
    other.exec('DROP TABLE posting; DROP TABLE chunk')
    other.close()
    await expectWorks()
  })

  it('an index whose lists contradict themselves', async () => {
    await makeSound()
    const other = new DatabaseSync(path)
    other.exec(`UPDATE posting SET heads = x'ffff01', places = x''; UPDATE chunk SET types = x'01'`)
    other.close()
    const index = await open()
    index.apply('project', {
      upsert: [itemOf({ id: 'alpha', fields: { content: ['about anew'] } })],
      remove: [],
    })
    index.close()
    await expectWorks()
  })

  it.each([
    ['values that are no JSON', `UPDATE item SET tags = '["a"'`],
    ['no texts', 'DELETE FROM body'],
    ['fewer items than its lists', `DELETE FROM item WHERE id = 'beta'`],
    ['a note of its files that is no JSON', `UPDATE meta SET value = '{' WHERE key = 'last refresh'`],
    ['totals that are no JSON', `UPDATE meta SET value = '{' WHERE key = 'totals'`],
    [
      'totals of another shape',
      `UPDATE meta SET value = json_set(value, '$.totals', json('[]')) WHERE key = 'totals'`,
    ],
  ])('an index with %s', async (_, damage) => {
    const made = await open()
    fillAndSearch(made)
    made.known('project')
    made.keepRefresh('project', { walkStamp: 'a', report: '' })
    made.close()
    const other = new DatabaseSync(path)
    other.exec(damage)
    expect(other.prepare('SELECT changes() AS changes').get()).not.toEqual({ changes: 0 })
    other.close()
    const index = await open()
    index.lastRefresh('project')
    index.close()
    await expectWorks()
  })

  it('an index that was cut off, wherever that is', async () => {
    await makeSound()
    const whole = readFileSync(path)
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length), async length => {
        rmSync(path, { force: true })
        writeFileSync(path, whole)
        truncateSync(path, length)
        await expectWorks()
      }),
      { numRuns: 15 },
    )
  })

  it('an index with bytes overwritten, wherever they are', async () => {
    await makeSound()
    const whole = readFileSync(path)
    const spots = fc.array(
      fc.tuple(fc.nat(whole.length - 9), fc.uint8Array({ minLength: 8, maxLength: 8 })),
      { minLength: 1, maxLength: 4 },
    )
    await fc.assert(
      fc.asyncProperty(spots, async changes => {
        const bytes = Buffer.from(whole)
        for (const [at, with_] of changes) bytes.set(with_, at)
        // In place, as rot would: the inode stays.
        writeFileSync(path, bytes)
        const index = await open()
        expect(() => fillAndSearch(index)).not.toThrow()
        index.close()
      }),
      { numRuns: 40 },
    )
  })

  it('an index that loses its file while it is open', async () => {
    const index = await open()
    fillAndSearch(index)
    for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true })
    expect(fillAndSearch(index)).toEqual(['alpha', 'beta', 'gamma'])
    const other = await open()
    expect(idsOf(searchFor(other, 'about'))).toEqual(['alpha', 'beta', 'gamma'])
    other.close()
    index.close()
  })
})

describe('an index that cannot be written', () => {
  it('is kept in memory', async () => {
    writeFileSync(join(folder, 'state'), 'a file where a folder should be')
    await expectWorks()
  })
})

it('a fault of the search itself is not taken for damage for ever', async () => {
  const index = await open()
  fill(index)
  const broken = () => searchFor(index, 'about', { weights: null as never })
  expect(broken().reset).toEqual(['project'])
  expect(broken).toThrow(TypeError)
  fill(index)
  expect(idsOf(searchFor(index, 'about'))).toEqual(['alpha', 'beta', 'gamma'])
  index.close()
})

it('what was cleared is filled again by every process that has it open', async () => {
  const [index, other] = [await open(), await open()]
  fillAndSearch(index)
  fillAndSearch(other)
  index.clear()
  const answer = searchFor(other, 'about')
  expect([idsOf(answer), answer.reset]).toEqual([[], ['project']])
  expect(fillAndSearch(other)).toEqual(['alpha', 'beta', 'gamma'])
  expect(fillAndSearch(index)).toEqual(['alpha', 'beta', 'gamma'])
  index.close()
  other.close()
})

it('begins in memory while another process holds a file that is not ready', async () => {
  mkdirSync(join(folder, 'state'))
  const other = new DatabaseSync(path)
  other.exec('PRAGMA locking_mode = EXCLUSIVE; CREATE TABLE held (x); INSERT INTO held VALUES (1)')
  await expectWorks()
  expect(other.prepare('SELECT x FROM held').get()).toEqual({ x: 1 })
  other.close()
})

it('goes on in memory, from nothing, and leaves its file alone', async () => {
  const index = await open()
  fillAndSearch(index)
  index.keepInMemory('project')
  expect(index.known('project').size).toBe(0)
  expect(fillAndSearch(index)).toEqual(['alpha', 'beta', 'gamma'])
  index.apply('project', { upsert: [], remove: [ITEMS[0]!.path] })
  index.close()
  const again = await open()
  expect(idsOf(searchFor(again, 'about'))).toEqual(['alpha', 'beta', 'gamma'])
  again.close()
})
