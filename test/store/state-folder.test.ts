import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { appendReceipt, makeStateFolder } from '../../src/store/index.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'rye-state-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

it('is private, and no repository takes it in', () => {
  const folder = makeStateFolder(root)
  expect(folder).toBe(join(root, '.ai/state'))
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('*\n')
})

it('keeps an ignore file that somebody changed', () => {
  const path = join(makeStateFolder(root), '.gitignore')
  writeFileSync(path, '')
  makeStateFolder(root)
  expect(readFileSync(path, 'utf8')).toBe('')
})

it('is made by the first receipt, ignore file and all', async () => {
  await appendReceipt(root, {
    time: '2026-01-01T00:00:00Z',
    item_id: 'a',
    item_type: 'tool',
    space: 'project',
    chain: [],
    parameters: '0',
    signer: null,
    isolation: 'none',
    duration_ms: 1,
    outcome: 'success',
  })
  expect(readFileSync(join(root, '.ai/state/.gitignore'), 'utf8')).toBe('*\n')
})
