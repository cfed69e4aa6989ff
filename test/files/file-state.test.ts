import {
  lstatSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type FileState,
  fileState,
  isSameState,
  isSettled,
  knownState,
  stampFiles,
  stateAt,
} from '../../src/files/file-state.ts'
import { rewriteInPlace } from './rewrite-in-place.ts'
import { temporaryFolder } from './temporary-folder.ts'

const NOW = 1_800_000_000_000
const OLD: FileState = { size: 4, mtimeMs: NOW - 9000, ctimeMs: NOW - 9000, inode: 7 }

const state: fc.Arbitrary<FileState> = fc.record({
  size: fc.nat(3),
  mtimeMs: fc.nat(3),
  ctimeMs: fc.nat(3),
  inode: fc.nat(3),
})
const named = fc.record({ path: fc.constantFrom('a', 'b', 'ab', ''), state }).map(one => ({
  path: one.path,
  ...one.state,
}))

describe('the state of a file', () => {
  it('is the same only where size, both times and inode are', () => {
    fc.assert(
      fc.property(state, state, (a, b) => {
        expect(isSameState(a, b)).toBe(JSON.stringify(a) === JSON.stringify(b))
      }),
    )
  })

  it('differs after other bytes of the same length in the same inode, with the old time put back', () => {
    const path = join(temporaryFolder(), 'a')
    writeFileSync(path, 'one')
    utimesSync(path, 1e9, 1e9)
    const before = stateAt(path)!
    rewriteInPlace(path, 'eno')
    expect(readFileSync(path, 'utf8')).toBe('eno')
    const { ctimeMs, ...rest } = stateAt(path)!
    expect(rest).toEqual({ size: before.size, mtimeMs: before.mtimeMs, inode: before.inode })
    expect(isSameState(before, { ...rest, ctimeMs })).toBe(false)
  })

  it('is that of a link itself, and none where there is nothing', () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'file'), 'text')
    symlinkSync('file', join(folder, 'link'))
    expect(stateAt(join(folder, 'file'))).toEqual(fileState(statSync(join(folder, 'file'))))
    expect(stateAt(join(folder, 'link'))).toEqual(fileState(lstatSync(join(folder, 'link'))))
    for (const path of ['absent', 'absent/below', 'file/below'])
      expect(stateAt(join(folder, path))).toBeUndefined()
  })

  it('differs after another file was renamed over it', () => {
    const folder = temporaryFolder()
    for (const name of ['a', 'b']) {
      writeFileSync(join(folder, name), 'one')
      utimesSync(join(folder, name), 1e9, 1e9)
    }
    const before = stateAt(join(folder, 'a'))!
    renameSync(join(folder, 'b'), join(folder, 'a'))
    expect(isSameState(before, stateAt(join(folder, 'a'))!)).toBe(false)
  })
})

describe('a settled state', () => {
  it.each<[boolean, string, Partial<FileState>]>([
    [true, 'old', {}],
    [true, 'a little older than two seconds', { mtimeMs: NOW - 2001, ctimeMs: NOW - 2001 }],
    [false, 'two seconds old', { ctimeMs: NOW - 2000 }],
    [false, 'modified two seconds ago, by its own word', { mtimeMs: NOW - 2000 }],
    [false, 'from the future', { mtimeMs: NOW + 1e9 }],
    [false, 'changed in the future', { ctimeMs: NOW + 1 }],
  ])('%s: %s', (settled, _what, change) => {
    const seen = { ...OLD, ...change }
    expect(isSettled(seen, NOW)).toBe(settled)
    expect(isSameState(knownState(seen, NOW), seen)).toBe(settled)
    expect(knownState(seen, NOW)).toEqual({ ...seen, ctimeMs: settled ? seen.ctimeMs : null })
  })
})

describe('a stamp', () => {
  it('is the same only for the same names and states in the same order', () => {
    fc.assert(
      fc.property(fc.array(named, { maxLength: 3 }), fc.array(named, { maxLength: 3 }), (a, b) => {
        expect(stampFiles(null, a) === stampFiles(null, b)).toBe(JSON.stringify(a) === JSON.stringify(b))
      }),
    )
  })

  it('differs with whatever else it depends on', () => {
    const files = [{ path: 'a', ...OLD }]
    expect(stampFiles('one', files)).not.toBe(stampFiles('two', files))
    expect(stampFiles(['a'], [])).not.toBe(stampFiles([], []))
    expect(stampFiles('one', files)).toMatch(/^[0-9a-f]{64}$/)
  })
})
