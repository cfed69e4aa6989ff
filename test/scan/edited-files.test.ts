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

/** As many editors save. */
function replaceFile(path: string): void {
  writeFileSync(`${path}.tmp`, 'other')
  renameSync(`${path}.tmp`, path)
}

function instead(path: string, make: (path: string) => void): void {
  unlinkSync(path)
  make(path)
}
