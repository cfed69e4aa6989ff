// A native module from the package: unpacked once, loaded only where nobody else can have written it, and not
// left behind where it cannot be kept.
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { sha256Hex } from '../../src/base/index.ts'
import { binaryPlaces, loadPacked } from '../../src/program/packed-binary.ts'

const BINARY = Buffer.from('machine code of no particular meaning')
const NAME = 'sqlite-x.node'

let root: string
let packed: string
let loaded: string[]
beforeEach(() => {
  root = mkdtempSync(join(realpathSync(tmpdir()), 'rye-packed-'))
  packed = join(root, 'package/dist/sqlite/x.node.br')
  mkdirSync(dirname(packed), { recursive: true })
  mkdirSync(join(root, 'user/.ai/state'), { recursive: true })
  writeFileSync(packed, brotliCompressSync(BINARY))
  loaded = []
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const places = () => binaryPlaces(join(root, 'package'), { HOME: join(root, 'user') })
const keptIn = (place: number) => join(places()[place]!.folder, `${sha256Hex(BINARY).slice(0, 16)}-${NAME}`)

/** Stands in for the native loader: it takes the bytes that are there. */
function load(refused: (path: string) => boolean = () => false): string {
  return loadPacked(
    { path: packed, name: NAME, digest: sha256Hex(BINARY), size: BINARY.length },
    places(),
    path => {
      loaded.push(path)
      if (refused(path)) throw new Error('failed to map segment from shared object')
      return readFileSync(path, 'utf8')
    },
  )
}

it('is unpacked at its first use, and found there by the next', () => {
  expect(load()).toBe(BINARY.toString())
  writeFileSync(packed, 'nobody reads this any more')
  expect(load()).toBe(BINARY.toString())
  expect(loaded).toEqual([keptIn(0), keptIn(0)])
})

it.each<[string, (path: string) => void]>([
  ['is cut off', path => writeFileSync(path, BINARY.subarray(1))],
  ['is longer', path => writeFileSync(path, `${BINARY} and more`)],
  ['is empty', path => writeFileSync(path, '')],
  ['may be written by others', path => chmodSync(path, 0o666)],
  ['lies in a folder that others may write to', path => chmodSync(dirname(path), 0o777)],
  ['has a second name', path => linkSync(path, join(root, 'second'))],
  [
    'is a link',
    path => {
      renameSync(path, join(root, 'elsewhere'))
      symlinkSync(join(root, 'elsewhere'), path)
    },
  ],
  [
    'is a folder',
    path => {
      rmSync(path)
      mkdirSync(path)
    },
  ],
])('is not loaded from a file that %s', (_, spoil) => {
  load()
  const path = keptIn(0)
  spoil(path)
  loaded = []
  const seen = existsSync(path) ? readdirSync(dirname(path)) : []
  expect(load()).toBe(BINARY.toString())
  // Either the file was replaced by a good one, or another place was taken.
  expect(loaded).toHaveLength(1)
  expect(seen).toHaveLength(1)
})

it('lies with the user where the package cannot be written, or nothing may be run from it', () => {
  expect(load(path => path.startsWith(join(root, 'package')))).toBe(BINARY.toString())
  expect(loaded).toEqual([keptIn(0), keptIn(1)])
})

it('leaves nothing behind where it cannot be kept', () => {
  expect(load(path => path.startsWith(root))).toBe(BINARY.toString())
  const last = loaded.at(-1)!
  expect(last.startsWith(join(tmpdir(), 'rye-native-'))).toBe(true)
  expect(existsSync(dirname(last))).toBe(false)
})

it.each<[string, () => Buffer]>([
  ['no archive', () => Buffer.from('nonsense')],
  ['cut off', () => brotliCompressSync(BINARY).subarray(0, 12)],
  ['of other content', () => brotliCompressSync(Buffer.from('something else'))],
  ['endless', () => brotliCompressSync(Buffer.alloc(17 * 1024 * 1024))],
])('is refused when the package is damaged: %s', (_, damage) => {
  writeFileSync(packed, damage())
  expect(() => load()).toThrow(
    expect.objectContaining({ code: 'FILE_UNREADABLE', hint: expect.stringContaining('install it again') }),
  )
  expect(loaded).toEqual([])
})
