import { expect, it } from 'vitest'
import { hasBuiltIn, loadSqlite } from '../../../src/search/sqlite/load-sqlite.ts'

it.each([
  ['20.19.0', false],
  ['22.15.1', false],
  ['22.16.0', true],
  ['23.11.0', false],
  ['24.0.0', true],
  ['25.1.0', true],
])('the SQLite of Node %s itself is used: %s', (version, expected) => {
  expect(hasBuiltIn(version)).toBe(expected)
})

it('opens a database that knows whether it is in a transaction, without a word', async () => {
  const warnings: unknown[] = []
  const listen = (warning: unknown) => warnings.push(warning)
  process.on('warning', listen)
  const emit = process.emitWarning
  const database = (await loadSqlite())(':memory:')
  expect(process.emitWarning).toBe(emit)
  database.exec('BEGIN')
  expect(database.isTransaction).toBe(true)
  database.exec('ROLLBACK')
  expect(database.isTransaction).toBe(false)
  database.close()
  await new Promise(setImmediate)
  process.off('warning', listen)
  expect(warnings).toEqual([])
})
