// Many files are written all or none.
import {
  chmodSync,
  existsSync,
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
import { afterEach, beforeEach, expect, it } from 'vitest'
import { writeAll } from '../../src/files/write-all.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'rye-write-all-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const names = () => readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()
const text = (path: string) => readFileSync(join(root, path), 'utf8')
const write = (files: Record<string, string>) =>
  writeAll(
    new Map(Object.entries(files).map(([path, content]) => [join(root, path), Buffer.from(content)])),
    { root },
  )

it('writes new files, replaces old ones, keeps their modes, and leaves nothing else', () => {
  writeFileSync(join(root, 'old.sh'), 'before')
  chmodSync(join(root, 'old.sh'), 0o755)
  write({ 'old.sh': 'after', 'a/b/new': 'new', 'a/c': 'c' })
  expect(names()).toEqual(['a', 'a/b', 'a/b/new', 'a/c', 'old.sh'])
  expect([text('old.sh'), text('a/b/new'), text('a/c')]).toEqual(['after', 'new', 'c'])
  expect(statSync(join(root, 'old.sh')).mode & 0o777).toBe(0o755)
})

it('leaves everything as it was when one of them cannot be put into its place', () => {
  writeFileSync(join(root, 'old'), 'before')
  // A folder where a file is wanted, which is noticed only when the file is put there.
  mkdirSync(join(root, 'z/taken'), { recursive: true })
  expect(() => write({ old: 'after', 'made/new': 'new', 'z/taken': 'file' })).toThrow('cannot write')
  expect(names()).toEqual(['old', 'z', 'z/taken'])
  expect(text('old')).toBe('before')
})

it('leaves everything as it was when a folder cannot be made', () => {
  writeFileSync(join(root, 'file'), 'a file')
  expect(() => write({ 'made/new': 'new', 'file/below': 'x' })).toThrow('cannot write')
  expect(names()).toEqual(['file'])
})

it('writes through no link', () => {
  const outside = mkdtempSync(join(tmpdir(), 'rye-write-all-'))
  symlinkSync(outside, join(root, 'link'))
  expect(() => write({ new: 'x', 'link/new': 'x' })).toThrow('not a plain folder')
  expect([existsSync(join(outside, 'new')), existsSync(join(root, 'new'))]).toEqual([false, false])
  rmSync(outside, { recursive: true })
})

it('replaces a link in the place of a file, and not what it leads to', () => {
  writeFileSync(join(root, 'target'), 'kept')
  symlinkSync('target', join(root, 'link'))
  write({ link: 'new' })
  expect([text('link'), text('target')]).toEqual(['new', 'kept'])
})
