// The index that ships with the program is only a starting point: nothing depends on it, and it is never put
// in place in part.
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openIndex, type SearchIndex } from '../../../src/search/sqlite/search-index.ts'
import { idsOf, itemOf, searchFor } from './library.ts'

let folder: string
let prebuilt: string
let path: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rye-prebuilt-'))
  prebuilt = join(folder, 'prebuilt.sqlite')
  path = join(folder, 'own', 'index.sqlite')
  const index = await openIndex(new Map([['system', prebuilt]]))
  index.apply('system', { upsert: [itemOf({ id: 'a', fields: { content: ['flour'] } })], remove: [] })
  index.close()
  const database = new DatabaseSync(prebuilt)
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
  mkdirSync(dirname(path))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const open = (): Promise<SearchIndex> =>
  openIndex(new Map([['system', path]]), { prebuilt: new Map([['system', prebuilt]]) })

async function found(): Promise<string[]> {
  const index = await open()
  try {
    return idsOf(searchFor(index, 'flour'))
  } finally {
    index.close()
  }
}

it('is what a space begins with, and is changed in the copy alone', async () => {
  const index = await open()
  expect(idsOf(searchFor(index, 'flour'))).toEqual(['a'])
  index.apply('system', { upsert: [itemOf({ id: 'b', fields: { content: ['flour'] } })], remove: [] })
  index.close()
  expect((await found()).sort()).toEqual(['a', 'b'])
  rmSync(dirname(path), { recursive: true })
  mkdirSync(dirname(path))
  expect(await found()).toEqual(['a'])
})

it('does not replace an index that is there', async () => {
  const own = await openIndex(new Map([['system', path]]))
  own.apply('system', { upsert: [itemOf({ id: 'own', fields: { content: ['flour'] } })], remove: [] })
  own.close()
  expect(await found()).toEqual(['own'])
})

it('is placed once by many that begin at the same moment, and leaves nothing else', async () => {
  const indexes = await Promise.all(Array.from({ length: 8 }, open))
  for (const index of indexes) expect(idsOf(searchFor(index, 'flour'))).toEqual(['a'])
  for (const index of indexes) index.close()
  const names = readdirSync(join(folder, 'own'))
  expect(names).toContain('index.sqlite')
  expect(names.filter(name => !/^index\.sqlite(-wal|-shm)?$/.test(name))).toEqual([])
})

it('may be read-only', async () => {
  chmodSync(prebuilt, 0o444)
  const index = await open()
  expect(index.apply('system', { upsert: [itemOf({ id: 'b' })], remove: [] })).toMatchObject({ added: 1 })
  index.close()
})

it.each<[string, () => void]>([
  ['is missing', () => rmSync(prebuilt)],
  ['was cut off', () => truncateSync(prebuilt, 5000)],
  ['is no database', () => writeFileSync(prebuilt, 'text')],
  ['is empty', () => writeFileSync(prebuilt, '')],
])('is done without when it %s', async (_, break_) => {
  break_()
  expect(await found()).toEqual([])
  const index = await open()
  index.apply('system', { upsert: [itemOf({ id: 'b', fields: { content: ['flour'] } })], remove: [] })
  index.close()
  expect(await found()).toEqual(['b'])
})

it('is not put beside the log of an index that was removed', async () => {
  writeFileSync(`${path}-wal`, 'the log of another')
  expect(await found()).toEqual([])
})

it('is not taken for one that was copied into place by hand', async () => {
  copyFileSync(prebuilt, path)
  expect(await found()).toEqual([])
})
