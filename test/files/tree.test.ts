import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { makeAside, move, staleAsides } from '../../src/files/aside.ts'
import { removeTree, writeTree } from '../../src/files/tree.ts'

let root = ''

beforeEach(() => {
  root = mkdtempSync(join(realpathSync(tmpdir()), 'rye-tree-'))
  const made = root
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
})

it('writes a folder of files, with folders that have nothing but folders', () => {
  const files = new Map(['a', 'b/c/d', 'b/c/e'].map(path => [path, Buffer.from(path)]))
  writeTree(join(root, 'x/y'), files, { root })
  for (const path of files.keys()) expect(readFileSync(join(root, 'x/y', path), 'utf8')).toBe(path)
})

it('never writes over a file, nor through a link', () => {
  const files = new Map([['a/b', Buffer.from('new')]])
  mkdirSync(join(root, 'x/a'), { recursive: true })
  writeFileSync(join(root, 'x/a/b'), 'old')
  expect(() => writeTree(join(root, 'x'), files, { root })).toThrow(/already exists/)
  mkdirSync(join(root, 'y'))
  symlinkSync('../x/a', join(root, 'y/a'))
  expect(() => writeTree(join(root, 'y'), new Map([['a/c', Buffer.from('')]]), { root })).toThrow(
    /not a plain folder/,
  )
  expect(readdirSync(join(root, 'x/a'))).toEqual(['b'])
})

it('removes a folder with everything in it, and follows no link', () => {
  mkdirSync(join(root, 'x/deep/er'), { recursive: true })
  mkdirSync(join(root, 'away'))
  writeFileSync(join(root, 'away/kept'), '')
  for (const name of ['x/a', 'x/deep/b', 'x/deep/er/c']) writeFileSync(join(root, name), '')
  symlinkSync('../away', join(root, 'x/link'))
  removeTree(join(root, 'x'), { root })
  expect(readdirSync(root)).toEqual(['away'])
  expect(readdirSync(join(root, 'away'))).toEqual(['kept'])
  removeTree(join(root, 'x'), { root })
})

it('makes a folder aside beside the one that it is for, and private', () => {
  const folder = join(root, '.client/skills')
  const aside = makeAside(folder, { root })
  expect(dirname(aside)).toBe(dirname(folder))
  expect(statSync(aside).mode & 0o777).toBe(0o700)
  expect(readdirSync(folder)).toEqual([])
  expect(staleAsides(folder, { root })).toEqual([])
})

it('knows those that killed processes left, in both places, and no others', () => {
  const folder = join(root, '.client/skills')
  const old = ['.client', '.client/skills'].map(place =>
    join(root, place, '.rye-00000000-1-0123456789abcdef.tmp'),
  )
  for (const path of old) mkdirSync(path, { recursive: true })
  // Perhaps from another machine: nobody can tell whether its process runs.
  expect(staleAsides(folder, { root })).toEqual([])
  const longAgo = Date.now() / 1000 - 7200
  for (const path of old) utimesSync(path, longAgo, longAgo)
  for (const name of ['.rye-notes', 'plain']) mkdirSync(join(folder, name))
  writeFileSync(join(folder, '.rye-00000000-1-0123456789abcdee.tmp'), '')
  utimesSync(join(folder, '.rye-00000000-1-0123456789abcdee.tmp'), longAgo, longAgo)
  expect(staleAsides(folder, { root })).toEqual(old)
  expect(staleAsides(join(root, 'nowhere/at/all'), { root })).toEqual([])
})

it('moves a folder to where none is', () => {
  for (const name of ['x', 'y']) writeTree(join(root, name), new Map([['a', Buffer.from(name)]]), { root })
  expect(() => move(join(root, 'x'), join(root, 'y'), { root })).toThrow(/cannot write/)
  move(join(root, 'x'), join(root, 'new/z'), { root })
  expect(readFileSync(join(root, 'new/z/a'), 'utf8')).toBe('x')
  expect(existsSync(join(root, 'x'))).toBe(false)
})

it('leaves what is nested deeper than anybody nests folders, and does not fail', () => {
  const deep = join(root, 'deep', ...Array.from({ length: 400 }, () => 'a'))
  mkdirSync(deep, { recursive: true })
  expect(() => removeTree(join(root, 'deep'), { root })).not.toThrow()
  expect(existsSync(join(root, 'deep'))).toBe(true)
})
