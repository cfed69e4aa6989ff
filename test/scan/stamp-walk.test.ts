import { chmodSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { stampWalk } from '../../src/scan/stamp-walk.ts'
import { walk } from '../../src/scan/walk.ts'
import { rewriteInPlace } from '../files/rewrite-in-place.ts'
import { temporaryTree } from './temporary-tree.ts'

const stampOf = (root: string) => stampWalk(root, walk(root))

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** As if it were later: times of files cannot be set back. */
function later(seconds: number): void {
  vi.setSystemTime(Date.now() + 1000 * seconds)
}

describe('the stamp of a walk', () => {
  it('is none while a file is not settled, and then stays the same', () => {
    const root = temporaryTree({ 'a.md': 'one', 'b/c.md': 'two' })
    expect(stampOf(root)).toBeUndefined()
    later(1)
    expect(stampOf(root)).toBeUndefined()
    later(5)
    expect(stampOf(root)).toMatch(/^[0-9a-f]{64}$/)
    expect(stampOf(root)).toBe(stampOf(root))
  })

  it('judges a file by the time before the walk, however long that takes', () => {
    const root = temporaryTree({ 'a.md': 'one' })
    const { ctimeMs } = statSync(`${root}/a.md`)
    const walked = walk(root)
    expect(walked.startedAt).toBe(Date.now())
    vi.setSystemTime(ctimeMs + 60_000)
    expect(stampWalk(root, walked)).toBeUndefined()
    expect(stampWalk(root, walk(root))).toBeDefined()
  })

  it('is none for a file from the future', () => {
    const root = temporaryTree({ 'a.md': 'one' })
    later(5)
    utimesSync(`${root}/a.md`, 2e10, 2e10)
    expect(stampOf(root)).toBeUndefined()
  })

  it.each<[string, (root: string) => void]>([
    ['other bytes of the same length, with the old time put back', root => rewrite(root, 'eno')],
    ['the same bytes written again', root => rewrite(root, 'one')],
    ['another file renamed over it', root => renameSync(`${root}/same.md`, `${root}/a.md`)],
    ['a new file', root => writeFileSync(`${root}/b/new.md`, '')],
    ['a file that is gone', root => rmSync(`${root}/b/c.md`)],
    ['another name', root => renameSync(`${root}/b/c.md`, `${root}/b/d.md`)],
    ['other permissions', root => chmodSync(`${root}/a.md`, 0o600)],
    ['a link in the place of a file', root => relink(root)],
  ])('differs after %s', (_what, change) => {
    const root = temporaryTree({ 'a.md': 'one', 'same.md': 'one', 'b/c.md': 'two' })
    utimesSync(`${root}/a.md`, 1e9, 1e9)
    later(60)
    const before = stampOf(root)
    change(root)
    later(60)
    const after = stampOf(root)
    expect(before).toBeDefined()
    expect(after).toBeDefined()
    expect(after).not.toBe(before)
  })
})

function rewrite(root: string, text: string): void {
  rewriteInPlace(`${root}/a.md`, text)
}

function relink(root: string): void {
  rmSync(`${root}/a.md`)
  symlinkSync(`${root}/same.md`, `${root}/a.md`)
}
