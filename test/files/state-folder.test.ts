import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeStateFolder } from '../../src/files/state-folder.ts'
import { appendReceipt, readReceipts } from '../../src/user/receipts.ts'

const FACTS = {
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
}

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
  await appendReceipt(root, FACTS)
  expect(readFileSync(join(root, '.ai/state/.gitignore'), 'utf8')).toBe('*\n')
})

describe('a link that came with a project', () => {
  let outside: string
  beforeEach(() => {
    outside = mkdtempSync(join(tmpdir(), 'rye-outside-'))
    writeFileSync(join(outside, '.gitignore'), 'mine\n')
    writeFileSync(join(outside, 'notes'), 'mine\n')
  })
  afterEach(() => {
    // Whatever was asked, nothing of it came here.
    expect(readdirSync(outside).sort()).toEqual(['.gitignore', 'notes'])
    expect(readFileSync(join(outside, 'notes'), 'utf8')).toBe('mine\n')
    rmSync(outside, { recursive: true })
  })

  it.each(['.ai', '.ai/state'])('at %s is refused, and nothing is written behind it', async place => {
    mkdirSync(join(root, place, '..'), { recursive: true })
    symlinkSync(outside, join(root, place))
    expect(() => makeStateFolder(root)).toThrow('it is not a plain folder')
    await expect(appendReceipt(root, FACTS)).rejects.toMatchObject({ code: 'WRITE_FAILED' })
    expect(() => readReceipts(root)).toThrow('is not a plain folder')
  })

  it('at the log of runs is not written or read through', async () => {
    symlinkSync(join(outside, 'notes'), join(makeStateFolder(root), 'receipts.jsonl'))
    await expect(appendReceipt(root, FACTS)).rejects.toMatchObject({ code: 'WRITE_FAILED' })
    expect(() => readReceipts(root)).toThrow('it is a symbolic link')
  })

  it('at the ignore file stays what it is', () => {
    mkdirSync(join(root, '.ai/state'), { recursive: true })
    symlinkSync(join(outside, 'absent'), join(root, '.ai/state/.gitignore'))
    expect(makeStateFolder(root)).toBe(join(root, '.ai/state'))
  })
})
