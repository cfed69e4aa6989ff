// Compiled code that V8 runs unchecked: which files are believed, where, and from whom.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CodeCache, describeCodeCache, readCode } from '../../src/program/code-cache.ts'
import { writeCode } from '../../src/program/write-code-cache.ts'

const CODE = Buffer.from('compiled code of no particular meaning')
const isRoot = process.geteuid?.() === 0

let root: string
let program: string
let environment: Record<string, string>

beforeEach(() => {
  root = mkdtempSync(join(realpathSync(tmpdir()), 'rye-code-'))
  program = join(root, 'package', 'dist', 'program.cjs')
  mkdirSync(join(root, 'package', 'dist'), { recursive: true })
  mkdirSync(join(root, 'user', '.ai', 'state'), { recursive: true })
  writeFileSync(program, '1')
  environment = { HOME: join(root, 'user') }
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function cacheFor(name: string): CodeCache {
  return describeCodeCache(program, name, environment)
}

function kept(): CodeCache {
  const cache = cacheFor('search')
  writeCode(cache, CODE)
  expect(readCode(cache)).toEqual(CODE)
  return cache
}

function pathOf(cache: CodeCache, place = 0): string {
  return join(cache.places[place]!.folder, cache.name)
}

describe('what is read', () => {
  it('is what was kept, and nothing where nothing was', () => {
    expect(readCode(cacheFor('search'))).toBeUndefined()
    const cache = kept()
    expect(lstatSync(pathOf(cache)).mode & 0o777).toBe(0o644)
    expect(readCode(cacheFor('list'))).toBeUndefined()
  })

  it('is nothing after any one byte has changed', () => {
    const cache = kept()
    const bytes = readFileSync(pathOf(cache))
    for (let at = 0; at < bytes.length; at++) {
      const damaged = Buffer.from(bytes)
      damaged[at] = damaged[at]! ^ 1
      writeFileSync(pathOf(cache), damaged)
      expect([at, readCode(cache)]).toEqual([at, undefined])
    }
  })

  it.each([0, 1, 31, 32, 33, 69])('is nothing when only %i bytes are left', length => {
    const cache = kept()
    writeFileSync(pathOf(cache), readFileSync(pathOf(cache)).subarray(0, length))
    expect(readCode(cache)).toBeUndefined()
  })

  it('is nothing once the program is another, though of the same length and time', () => {
    const cache = kept()
    const { atime, mtime } = lstatSync(program)
    writeFileSync(program, '2')
    utimesSync(program, atime, mtime)
    const now = cacheFor('search')
    expect(readCode(now)).toBeUndefined()
    // Also under the new name: the seal knows for which program it was made.
    renameSync(pathOf(cache), pathOf(now))
    expect(readCode(now)).toBeUndefined()
  })

  it('is nothing under other flags of Node', () => {
    kept()
    environment.NODE_OPTIONS = '--no-opt'
    expect(readCode(cacheFor('search'))).toBeUndefined()
  })
})

describe.skipIf(process.platform === 'win32')('what somebody else may have put there', () => {
  it.each([0o664, 0o646])('is not believed: a file of mode %o', mode => {
    const cache = kept()
    chmodSync(pathOf(cache), mode)
    expect(readCode(cache)).toBeUndefined()
  })

  it('is not believed: a folder that others can write, and nothing more is left there', () => {
    const cache = kept()
    chmodSync(cache.places[0]!.folder, 0o777)
    expect(readCode(cache)).toBeUndefined()
    writeCode(cache, CODE)
    expect(existsSync(pathOf(cache, 1))).toBe(true)
    expect(readCode(cache)).toEqual(CODE)
  })

  it('is not believed: a link, or a second name of a file', () => {
    const cache = kept()
    const elsewhere = join(root, 'elsewhere')
    linkSync(pathOf(cache), elsewhere)
    expect(readCode(cache)).toBeUndefined()
    rmSync(pathOf(cache))
    symlinkSync(elsewhere, pathOf(cache))
    expect(readCode(cache)).toBeUndefined()
  })

  it('is not believed: a folder that is a link', () => {
    const cache = kept()
    const { folder } = cache.places[0]!
    renameSync(folder, join(root, 'moved'))
    symlinkSync(join(root, 'moved'), folder)
    expect(readCode(cache)).toBeUndefined()
  })

  it('does not hang the start: a pipe, a directory', () => {
    const cache = kept()
    rmSync(pathOf(cache))
    expect(spawnSync('mkfifo', [pathOf(cache)]).status).toBe(0)
    expect(readCode(cache)).toBeUndefined()
    rmSync(pathOf(cache))
    mkdirSync(pathOf(cache))
    expect(readCode(cache)).toBeUndefined()
    writeCode(cache, CODE)
    expect(readCode(cache)).toEqual(CODE)
  })

  it.skipIf(!isRoot)('is not believed: a file or a folder of another user', () => {
    const cache = kept()
    chownSync(pathOf(cache), 65534, 65534)
    expect(readCode(cache)).toBeUndefined()
    chownSync(pathOf(cache), 0, 0)
    chownSync(cache.places[0]!.folder, 65534, 65534)
    expect(readCode(cache)).toBeUndefined()
  })

  it.skipIf(!isRoot)('is believed when it is of the owner of the program', () => {
    chownSync(program, 65534, 65534)
    const cache = kept()
    for (const path of [pathOf(cache), cache.places[0]!.folder]) chownSync(path, 65534, 65534)
    expect(readCode(cache)).toEqual(CODE)
  })
})

describe('where it is kept', () => {
  it.skipIf(!isRoot)('in the state folder of the user when the package is not ours', () => {
    chownSync(join(root, 'package'), 65534, 65534)
    const cache = kept()
    expect(existsSync(pathOf(cache, 0))).toBe(false)
    expect(existsSync(pathOf(cache, 1))).toBe(true)
  })

  it('in a home that is new to it, where nobody else looks, and not for help alone', () => {
    writeFileSync(join(root, 'package', '.cache'), '')
    const own = join(root, 'user', '.ai')
    rmSync(own, { recursive: true })
    writeCode(cacheFor('help'), CODE)
    writeCode(cacheFor('help-rest'), CODE)
    expect(existsSync(own)).toBe(false)
    const cache = kept()
    expect(existsSync(pathOf(cache, 1))).toBe(true)
    expect(readFileSync(join(own, 'state', '.gitignore'), 'utf8')).toBe('*\n')
    for (const path of ['', 'state', 'state/code'])
      expect(lstatSync(join(own, path)).mode & 0o777).toBe(0o700)
    writeCode(cacheFor('help'), CODE)
    expect(readCode(cacheFor('help'))).toEqual(CODE)
  })

  it('nowhere, and without a failure, when there is no place', () => {
    writeFileSync(join(root, 'package', '.cache'), '')
    rmSync(join(root, 'user'), { recursive: true })
    const cache = cacheFor('search')
    writeCode(cache, CODE)
    expect(readCode(cache)).toBeUndefined()
    expect(existsSync(join(root, 'user'))).toBe(false)
  })

  it.skipIf(!isRoot)('nowhere in a home of somebody else', () => {
    writeFileSync(join(root, 'package', '.cache'), '')
    rmSync(join(root, 'user', '.ai'), { recursive: true })
    chownSync(join(root, 'user'), 65534, 65534)
    writeCode(cacheFor('search'), CODE)
    expect(existsSync(join(root, 'user', '.ai'))).toBe(false)
  })

  it('with the newest 24', () => {
    for (let n = 0; n < 30; n++) {
      const cache = { ...cacheFor('search'), name: `old-${n}` }
      writeCode(cache, CODE)
      utimesSync(pathOf(cache), 1000 + n, 1000 + n)
    }
    const cache = kept()
    const names = readdirSync(cache.places[0]!.folder)
    expect(names).toHaveLength(24)
    expect(names).toContain(basename(pathOf(cache)))
    expect(names).not.toContain('old-0')
  })
})
