// Files that change between the directory's listing and their reading: only that file is lost, with a
// diagnostic.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readListed, SKILL_LIMITS, walkDirectory } from '../../../src/skills/folders/walk-directory.ts'

function listOne(text = 'old') {
  const root = mkdtempSync(join(realpathSync(tmpdir()), 'rye-walk-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const path = join(root, 'notes', 'a.md')
  mkdirSync(join(root, 'notes'))
  writeFileSync(path, text)
  const listing = walkDirectory(root, SKILL_LIMITS)
  expect(listing.files.map(file => file.path)).toEqual(['notes/a.md'])
  expect(listing.diagnostics).toEqual([])
  const read = (maxBytes = 100) => readListed(listing, 'notes/a.md', maxBytes)
  return { root, path, listing, read }
}

it('a file is read as it is now', () => {
  const { path, read } = listOne()
  writeFileSync(path, 'new')
  expect(Buffer.from(read()!).toString()).toBe('new')
})

it('one that was removed is said to be', () => {
  const { path, listing, read } = listOne()
  rmSync(path)
  expect(read()).toBeUndefined()
  expect(listing.diagnostics).toMatchObject([
    {
      ...{ path: 'notes/a.md', severity: 'warning', code: 'unreadable' },
      message: 'the file was removed while it was being read',
    },
  ])
})

it.each<[string, (path: string, root: string) => void]>([
  [
    'a link out of the directory',
    path => {
      rmSync(path)
      symlinkSync('/etc/hostname', path)
    },
  ],
  [
    'in a folder that is a link now',
    (_path, root) => {
      rmSync(join(root, 'notes'), { recursive: true })
      const elsewhere = join(root, 'elsewhere')
      mkdirSync(elsewhere)
      writeFileSync(join(elsewhere, 'a.md'), 'other')
      symlinkSync(elsewhere, join(root, 'notes'))
    },
  ],
  [
    'a folder',
    path => {
      rmSync(path)
      mkdirSync(path)
    },
  ],
  ['larger than is read', path => writeFileSync(path, 'x'.repeat(101))],
])('one that is %s now is left out', (_what, change) => {
  const { root, path, listing, read } = listOne()
  change(path, root)
  expect(read()).toBeUndefined()
  expect(listing.diagnostics).toMatchObject([{ path: 'notes/a.md', code: 'unreadable' }])
})

it('a directory that is not there, or a file, is an error that names it', () => {
  const { root, path } = listOne()
  expect(() => walkDirectory(join(root, 'none'), SKILL_LIMITS)).toThrow(
    /expected a directory at .*none`, got nothing/,
  )
  expect(() => walkDirectory(path, SKILL_LIMITS)).toThrow(/got a file/)
})
