import {
  appendFileSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editedFiles, type FoundRoots } from '../../src/scan/edited-files.ts'
import { findRoots } from '../../src/scan/find-roots.ts'
import { diskFolder } from '../fixtures/quick-folder.ts'
import { temporaryTree } from './temporary-tree.ts'

async function look(...bases: string[]): Promise<FoundRoots> {
  const found = await findRoots([bases.map(base => ({ base, segments: [] }))])
  return found![0]!
}

const NAMES = [
  'a.md',
  'b c.md',
  'é.md',
  '0 f 1.md',
  'line\nbreak.md',
  ' x',
  'deep/er/f.md',
  'deep/g.md',
  'z/h.md',
]

describe.runIf(process.platform === 'linux')('files that were edited', () => {
  it('are those that were written, whatever they are called', async () => {
    await fc.assert(
      fc.asyncProperty(fc.subarray(NAMES), fc.subarray(NAMES), async (appended, replaced) => {
        // In memory a file that replaces another is listed at another place than that, so that nothing is told.
        const tree = () => temporaryTree(Object.fromEntries(NAMES.map(name => [name, 'x'])), diskFolder())
        const [one, other] = [tree(), tree()]
        const before = await look(one, other)
        for (const name of appended) appendFileSync(`${one}/${name}`, 'more')
        for (const name of replaced) replaceFile(`${other}/${name}`)
        const expected = [
          ...appended.map(name => `${one}/${name}`),
          ...replaced.map(name => `${other}/${name}`),
        ]
        expect(editedFiles(before, await look(one, other))?.sort()).toEqual(expected.sort())
      }),
      { numRuns: 10 },
    )
  })

  it.each<[string, (root: string) => void]>([
    ['a new file', root => writeFileSync(`${root}/new.md`, '')],
    ['a new file at the end', root => writeFileSync(`${root}/zz/new.md`, '')],
    ['a file that is gone', root => unlinkSync(`${root}/a.md`)],
    ['the last file that is gone', root => rmSync(`${root}/zz`, { recursive: true })],
    ['another name', root => renameSync(`${root}/a.md`, `${root}/c.md`)],
    ['two names exchanged by depth', root => renameSync(`${root}/b/x.md`, `${root}/x.md`)],
    ['a folder in the place of a file', root => instead(`${root}/a.md`, path => mkdirSync(path))],
    ['a link in the place of a file', root => instead(`${root}/a.md`, path => symlinkSync('b/x.md', path))],
    ['a link that leads elsewhere', root => instead(`${root}/link`, path => symlinkSync('b/x.md', path))],
    ['a root that is gone', root => rmSync(root, { recursive: true })],
  ])('are not told after %s', async (_, change) => {
    const stays = temporaryTree({ 'a.md': '' })
    const root = temporaryTree({ 'a.md': '', 'b/x.md': '', 'zz/y.md': '' })
    symlinkSync('a.md', `${root}/link`)
    const before = await look(root, stays)
    change(root)
    expect(editedFiles(before, await look(root, stays))).toBeUndefined()
  })
})

describe('records of many files', () => {
  it('tell the paths of those that differ', () => {
    const deeper = fc.array(fc.record({ up: fc.nat(4), isFile: fc.boolean() }), { maxLength: 400 })
    fc.assert(
      fc.property(deeper, fc.array(fc.nat(399)), fc.nat(3), (steps, edits, digits) => {
        const entries = walkOf(steps)
        const edited = new Set(edits)
        const before = printRecords(entries, () => 1)
        const now = printRecords(entries, index => (edited.has(index) ? 10 ** digits + 1 : 1))
        const expected = entries
          .filter(({ isFile }, index) => isFile && edited.has(index))
          .map(one => one.path)
        expect(editedFiles(foundAt('/r', before), foundAt('/r', now))).toEqual(expected)
      }),
    )
  })
})

interface Entry {
  readonly depth: number
  readonly path: string
  readonly isFile: boolean
}

/** What `find` would meet: each entry lies in the last folder, or so many folders up. */
function walkOf(steps: readonly { readonly up: number; readonly isFile: boolean }[]): Entry[] {
  const folders = ['/r']
  return steps.map(({ up, isFile }, index) => {
    folders.length = Math.max(1, folders.length - up)
    const entry = { depth: folders.length, path: `${folders.at(-1)}/entry-${index}`, isFile }
    if (!isFile) folders.push(entry.path)
    return entry
  })
}

function printRecords(entries: readonly Entry[], sizeAt: (index: number) => number): Buffer {
  const records = entries.map(
    ({ depth, path, isFile }, index) =>
      `${depth} ${isFile ? 'f' : 'd'} ${sizeAt(index)} 1 1 ${index} ${path.slice(path.lastIndexOf('/') + 1)}\0`,
  )
  return Buffer.from(['0 d 1 1 1 1 r\0', ...records].join(''))
}

function foundAt(path: string, records: Buffer): FoundRoots {
  return { folders: [{ path, records }], skipped: [] }
}

/** Saves as many editors do. */
function replaceFile(path: string): void {
  writeFileSync(`${path}.tmp`, 'other')
  renameSync(`${path}.tmp`, path)
}

function instead(path: string, make: (path: string) => void): void {
  unlinkSync(path)
  make(path)
}
