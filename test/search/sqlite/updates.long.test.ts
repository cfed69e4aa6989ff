// An index changed step by step equals one made at once: same answers, same scores, same words.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { MEMORY } from '../../../src/search/sqlite/database.ts'
import { openIndex, type SearchIndex } from '../../../src/search/sqlite/search-index.ts'
import { type Draft, idsOf, itemOf, searchFor } from './library.ts'

const word = fc.constantFrom('file', 'files', 'system', 'read_file', 'GitHub', 'web', 'the', 'zebra')
const text = fc.array(word, { maxLength: 8 }).map(words => words.join(' '))
const step = fc.record({
  kind: fc.constantFrom('put' as const, 'put' as const, 'remove' as const),
  id: fc.constantFrom('a', 'b', 'c', 'd', 'e/f'),
  content: text,
  title: text,
})
const batches = fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 8 })

const QUERIES = ['file', 'the web', '"file system"', 'f*', '*e*', 'github NOT zebra', 'read_file', '*']

function everything(index: SearchIndex): unknown {
  return QUERIES.map(query => {
    const { rows, total } = searchFor(index, query)
    return {
      query,
      total,
      rows: rows.map(({ id, score, partial, matched, preview }) => ({
        id,
        score,
        partial,
        matched,
        preview,
      })),
    }
  })
}

function openEmpty(): Promise<SearchIndex> {
  return openIndex(new Map([['project', MEMORY]]))
}

describe('updating an index', () => {
  it('gives what making it anew would give', async () => {
    await fc.assert(
      fc.asyncProperty(batches, async changes => {
        const library = new Map<string, Draft>()
        const updated = await openEmpty()
        for (const batch of changes) {
          // Of one id only the last step counts, as on a disk.
          const last = new Map(batch.map(entry => [entry.id, entry]))
          const upsert = [...last.values()]
            .filter(({ kind }) => kind === 'put')
            .map(({ id, content, title }) => ({ id, fields: { content: [content], title: [title] } }))
          const remove = [...last.values()]
            .filter(({ kind }) => kind === 'remove')
            .map(({ id }) => itemOf({ id }).path)
          for (const { id, kind } of last.values()) if (kind === 'remove') library.delete(id)
          for (const draft of upsert) library.set(draft.id, draft)
          updated.apply('project', { upsert: upsert.map(draft => itemOf(draft)), remove })
        }
        const fresh = await openEmpty()
        fresh.apply('project', { upsert: [...library.values()].map(draft => itemOf(draft)), remove: [] })
        expect(everything(updated)).toEqual(everything(fresh))
        expect([...updated.known('project').keys()].sort()).toEqual([...fresh.known('project').keys()].sort())
        const few = updated.knownFew('project')
        for (const [path, file] of updated.known('project')) expect(few.find(path)).toEqual(file)
        expect(few.find('none')).toBeUndefined()
        updated.close()
        fresh.close()
      }),
      { numRuns: 80 },
    )
  })

  it('tells a touched file from a changed one by its hash', async () => {
    const index = await openEmpty()
    const before = itemOf({ id: 'a', fields: { content: ['one'] } }, { mtimeMs: 1, hash: 'h' })
    expect(index.apply('project', { upsert: [before], remove: [] })).toMatchObject({ added: 1, touched: 0 })
    expect(index.apply('project', { upsert: [{ ...before, mtimeMs: 2 }], remove: [] })).toMatchObject({
      added: 0,
      touched: 1,
    })
    expect(index.known('project').get(before.path)).toEqual({
      size: before.size,
      mtimeMs: 2,
      ctimeMs: 1,
      inode: 7,
      hash: 'h',
    })
    const touch = [{ path: before.path, size: 1, mtimeMs: 3, ctimeMs: null, inode: 8, hash: 'h' }]
    expect(index.apply('project', { upsert: [], touch, remove: [] })).toEqual({
      added: 0,
      updated: 0,
      touched: 1,
      removed: 0,
    })
    expect(index.known('project').get(before.path)).toEqual({
      size: 1,
      mtimeMs: 3,
      ctimeMs: null,
      inode: 8,
      hash: 'h',
    })
    expect(index.knownFew('project').unsettled).toEqual([before.path])
    expect(idsOf(searchFor(index, 'one'))).toEqual(['a'])
    const after = itemOf({ id: 'a', fields: { content: ['two'] } }, { mtimeMs: 3, hash: 'i' })
    expect(index.apply('project', { upsert: [after], remove: [] })).toMatchObject({ updated: 1 })
    expect(searchFor(index, 'one').total).toBe(0)
    expect(idsOf(searchFor(index, 'two'))).toEqual(['a'])
    index.close()
  })

  it('does not touch a file whose content another process has written anew, or removed', async () => {
    const index = await openEmpty()
    const item = itemOf({ id: 'a' }, { hash: 'new' })
    index.apply('project', { upsert: [item], remove: [] })
    const touch = [item.path, 'knowledge/b.md'].map(path => ({
      ...{ path, size: 1, mtimeMs: 3, ctimeMs: 3, inode: 8, hash: 'old' },
    }))
    expect(index.apply('project', { upsert: [], touch, remove: [] })).toMatchObject({ touched: 0 })
    expect(index.known('project').get(item.path)).toMatchObject({ hash: 'new', inode: 7 })
    index.close()
  })

  it('leaves nothing behind when items change again and again', async () => {
    const draftOf = (number: number, round: number) => ({
      id: `item${number}`,
      fields: {
        content: [`file system round${round} ${'the web '.repeat((number + round) % 5)}`],
        title: [`zebra ${number % 3}`],
      },
    })
    const all = (round: number) => Array.from({ length: 40 }, (_, number) => draftOf(number, round))
    const updated = await openEmpty()
    for (let round = 0; round < 12; round++) {
      // Sometimes all at once, sometimes one by one; every number is given anew several times over.
      const items = all(round).map(draft => itemOf(draft))
      if (round % 2 === 0) updated.apply('project', { upsert: items, remove: [] })
      else for (const item of items) updated.apply('project', { upsert: [item], remove: [] })
    }
    const fresh = await openEmpty()
    fresh.apply('project', { upsert: all(11).map(draft => itemOf(draft)), remove: [] })
    expect(everything(updated)).toEqual(everything(fresh))
    expect(searchFor(updated, 'round3').total).toBe(0)
    expect(searchFor(updated, 'roun3').unknown).toEqual(searchFor(fresh, 'roun3').unknown)
    updated.close()
    fresh.close()
  })

  it('is kept when it is opened again after so many changes that it was compacted', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rye-compacted-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const paths = new Map([['project', join(folder, 'index.sqlite')] as const])
    const written = await openIndex(paths)
    for (let round = 0; round < 3; round++) {
      const upsert = Array.from({ length: 200 }, (_, number) =>
        itemOf({ id: `item${number}`, fields: { content: [`round${round}`] } }),
      )
      written.apply('project', { upsert, remove: [] })
    }
    written.close()
    const opened = await openIndex(paths)
    expect(opened.known('project').size).toBe(200)
    expect(searchFor(opened, 'round2').total).toBe(200)
    opened.close()
  })

  it('copes with more items than a chunk holds', async () => {
    const index = await openEmpty()
    const items = Array.from({ length: 9000 }, (_, number) =>
      itemOf({ id: `item${number}`, fields: { title: [`word${number % 7} all`] } }),
    )
    index.apply('project', { upsert: items, remove: [] })
    expect(searchFor(index, 'all', { limit: 1 }).total).toBe(9000)
    expect(searchFor(index, '"word3 all"', { limit: 1 }).total).toBe(1286)
    index.apply('project', { upsert: [], remove: items.slice(100).map(item => item.path) })
    expect(searchFor(index, 'all', { limit: 1 }).total).toBe(100)
    expect(searchFor(index, '"word3 all"', { limit: 1 }).total).toBe(14)
    index.close()
  })

  it('does not count one file twice in one batch', async () => {
    const index = await openEmpty()
    const first = itemOf({ id: 'a', fields: { content: ['one'] } })
    const second = itemOf({ id: 'a', fields: { content: ['two'] } })
    index.apply('project', { upsert: [first, second], remove: [first.path, first.path] })
    expect(searchFor(index, '*').total).toBe(1)
    expect(idsOf(searchFor(index, 'two'))).toEqual(['a'])
    index.close()
  })
})

describe('the last refresh', () => {
  const refresh = { walkStamp: 'as it was', report: 'all is well' }
  const item = itemOf({ id: 'a', fields: { content: ['file'] } })

  it('is kept, and gone with the next change', async () => {
    const index = await openEmpty()
    index.known('project')
    index.apply('project', { upsert: [item], remove: [] })
    index.keepRefresh('project', refresh)
    expect(index.lastRefresh('project')).toEqual(refresh)
    index.apply('project', { upsert: [], remove: [item.path] })
    expect(index.lastRefresh('project')).toBeUndefined()
    index.close()
  })

  it('is not kept by one who did not see what another wrote', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rye-refresh-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const paths = new Map([['project' as const, join(folder, 'index.sqlite')]])
    const [one, other] = [await openIndex(paths), await openIndex(paths)]
    one.known('project')
    other.known('project')
    other.apply('project', { upsert: [item], remove: [] })
    one.keepRefresh('project', refresh)
    expect(other.lastRefresh('project')).toBeUndefined()
    one.apply('project', { upsert: [itemOf({ id: 'b' })], remove: [] })
    one.keepRefresh('project', refresh)
    expect(one.lastRefresh('project')).toBeUndefined()
    other.keepRefresh('project', refresh)
    expect(other.lastRefresh('project')).toBeUndefined()
    one.known('project')
    one.keepRefresh('project', refresh)
    expect(other.lastRefresh('project')).toEqual(refresh)
    one.close()
    other.close()
  })

  it('is not kept in a database that another process replaces at that moment', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rye-refresh-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const path = join(folder, 'index.sqlite')
    const index = await openIndex(new Map([['project' as const, path]]))
    index.known('project')
    const replacing = {
      ...refresh,
      toJSON() {
        for (const ending of ['', '-wal', '-shm']) rmSync(path + ending, { force: true })
        return refresh
      },
    }
    index.keepRefresh('project', replacing)
    expect(index.lastRefresh('project')).toBeUndefined()
    index.close()
  })

  it('takes a stamp of `find` for the same files, and for no others', async () => {
    const index = await openEmpty()
    index.keepFindStamp('project', { walkStamp: refresh.walkStamp, findStamp: 'found' })
    expect(index.lastRefresh('project')).toBeUndefined()
    index.known('project')
    index.keepRefresh('project', refresh)
    index.keepFindStamp('project', { walkStamp: 'another stamp', findStamp: 'found' })
    expect(index.lastRefresh('project')).toEqual(refresh)
    index.keepFindStamp('project', { walkStamp: refresh.walkStamp, findStamp: 'found' })
    expect(index.lastRefresh('project')).toEqual({ ...refresh, findStamp: 'found' })
    index.apply('project', { upsert: [item], remove: [] })
    expect(index.lastRefresh('project')).toBeUndefined()
    index.close()
  })

  it('changes no score, nor does it when others write after it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rye-refresh-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const paths = new Map([['project' as const, join(folder, 'index.sqlite')]])
    const long = itemOf({ id: 'long', fields: { content: ['file system '.repeat(50)] } })
    const one = await openIndex(paths)
    one.known('project')
    one.apply('project', { upsert: [item, long], remove: [] })
    const before = everything(one)
    one.keepRefresh('project', refresh)
    const other = await openIndex(paths)
    expect(everything(other)).toEqual(before)
    other.apply('project', { upsert: [], remove: [long.path] })
    const [late, fresh] = [await openIndex(paths), await openEmpty()]
    fresh.apply('project', { upsert: [item], remove: [] })
    for (const index of [one, other, late]) expect(everything(index)).toEqual(everything(fresh))
    for (const index of [one, other, late, fresh]) index.close()
  })

  it('keeps equal items in the order of their ids, and so they stay when others write after it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rye-refresh-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const paths = new Map([['project' as const, join(folder, 'index.sqlite')]])
    const equal = (id: string) => itemOf({ id, fields: { content: ['file'] } })
    const one = await openIndex(paths)
    one.known('project')
    one.apply('project', { upsert: ['d', 'b', 'e/f', 'c'].map(equal), remove: [] })
    one.keepRefresh('project', refresh)
    const other = await openIndex(paths)
    for (const index of [one, other]) expect(idsOf(searchFor(index, 'file'))).toEqual(['b', 'c', 'd', 'e/f'])
    other.apply('project', { upsert: [equal('a')], remove: [equal('c').path] })
    const late = await openIndex(paths)
    for (const index of [one, other, late])
      expect(idsOf(searchFor(index, 'file'))).toEqual(['a', 'b', 'd', 'e/f'])
    for (const index of [one, other, late]) index.close()
  })

  it.each(['', 'text', 7, new Uint8Array([1, 0, 0])])('outlives %j where ranks were kept', async spoilt => {
    const folder = mkdtempSync(join(tmpdir(), 'rye-refresh-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const path = join(folder, 'index.sqlite')
    const index = await openIndex(new Map([['project' as const, path]]))
    index.apply('project', {
      upsert: ['b', 'a'].map(id => itemOf({ id, fields: { content: ['file'] } })),
      remove: [],
    })
    const database = new DatabaseSync(path)
    database.prepare(`INSERT INTO meta VALUES ('id ranks', ?)`).run(spoilt)
    database.close()
    expect(idsOf(searchFor(index, 'file'))).toEqual(['a', 'b'])
    index.close()
  })

  it('is never kept by one who did not look', async () => {
    const index = await openEmpty()
    index.keepRefresh('project', refresh)
    expect(index.lastRefresh('project')).toBeUndefined()
    index.close()
  })
})
