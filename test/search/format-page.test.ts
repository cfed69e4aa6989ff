// Compares the page that describes the index with a real index.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { openIndex } from '../../src/search/sqlite/search-index.ts'
import { itemOf } from './sqlite/library.ts'

const page = readFileSync(new URL('../../docs/formats/index.md', import.meta.url), 'utf8')

it('the page of the format has the versions, every table and every row of `meta`, and no other', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rye-format-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'index.sqlite')
  const index = await openIndex(new Map([['project' as const, path]]))
  index.known('project')
  index.apply('project', { upsert: [itemOf({ id: 'a', fields: { content: ['file'] } })], remove: [] })
  index.keepRefresh('project', { walkStamp: 'as it was', report: '' })
  index.keepScan('project', Buffer.from('{}\n'))
  const provider = {
    model: 'm',
    embed: async (texts: readonly string[]) => texts.map(() => new Float32Array([1, 0])),
  }
  const late = performance.now() + 60_000
  await index.embed('project', provider, { dimensions: 2, lastStart: late, deadline: late })
  const database = new DatabaseSync(path)
  const column = (sql: string): unknown[] =>
    database
      .prepare(sql)
      .all()
      .flatMap(row => Object.values(row))
  const tables = column(`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`)
  const keys = column('SELECT key FROM meta ORDER BY key')
  const [version] = column('PRAGMA user_version') as [number]
  database.close()
  index.close()

  expect(page).toContain(
    `Version ${Math.floor(version / 1000)} of the tables, version ${version % 1000} of the text analysis.`,
  )
  const rows = page.split('\n').filter(line => line.startsWith('| `'))
  expect(rows.map(line => line.split('`')[1]).sort()).toEqual(tables)
  const meta = rows.find(line => line.startsWith('| `meta`'))!
  const named = [...meta.matchAll(/`([^`]+)`/g)].map(match => match[1])
  expect(named.slice(1).sort()).toEqual(keys)
})
