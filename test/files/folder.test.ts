import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Folder, inFolderOf, NotAFolder, openFolder } from '../../src/files/folder.ts'
import { temporaryFolder } from './temporary-folder.ts'

function withFolder<T>(folder: Folder, use: (folder: Folder) => T): T {
  try {
    return use(folder)
  } finally {
    folder.close()
  }
}

it('lists the names in a folder, and leads to them', () => {
  const root = temporaryFolder()
  mkdirSync(join(root, 'a/b'), { recursive: true })
  writeFileSync(join(root, 'a/b/file'), 'text')
  withFolder(openFolder(join(root, 'a/b'), root), folder => {
    expect(folder.names()).toEqual(['file'])
    expect(readFileSync(folder.at('file'), 'utf8')).toBe('text')
    expect(folder.path).toBe(join(root, 'a/b'))
    expect(() => folder.sync()).not.toThrow()
  })
})

it('the root may be a link, nothing below it', () => {
  const outer = temporaryFolder()
  mkdirSync(join(outer, 'real/inner'), { recursive: true })
  symlinkSync('real', join(outer, 'link'))
  symlinkSync('inner', join(outer, 'real/alias'))
  writeFileSync(join(outer, 'real/file'), '')
  withFolder(openFolder(join(outer, 'link'), join(outer, 'link')), folder =>
    expect(folder.names().sort()).toEqual(['alias', 'file', 'inner']),
  )
  for (const path of ['link/inner', 'real/alias', 'real/file'])
    expect(() => openFolder(join(outer, path), path === 'link/inner' ? outer : join(outer, 'real'))).toThrow(
      NotAFolder,
    )
  expect(() => openFolder(join(outer, 'none'), outer)).toThrow(expect.objectContaining({ code: 'ENOENT' }))
})

it('a link that takes the place of an open folder leads nowhere', () => {
  const root = temporaryFolder()
  for (const name of ['a', 'secret']) mkdirSync(join(root, name))
  writeFileSync(join(root, 'a/file'), 'own')
  writeFileSync(join(root, 'secret/file'), 'secret')
  const read = inFolderOf(join(root, 'a/file'), root, (folder, name) => {
    renameSync(join(root, 'a'), join(root, 'moved'))
    symlinkSync('secret', join(root, 'a'))
    try {
      return readFileSync(folder.at(name), 'utf8')
    } catch (thrown) {
      // Where there are no paths through descriptors.
      expect(thrown).toBeInstanceOf(NotAFolder)
      return 'own'
    }
  })
  expect(read).toBe('own')
})

it('no name leads out of a folder', () => {
  const root = temporaryFolder()
  withFolder(Folder.open(root), folder => {
    for (const name of ['', '..', '/', 'a/b', '../x']) expect(() => folder.at(name)).toThrow('unreachable')
    fc.assert(
      fc.property(fc.string(), fc.string(), (left, right) => {
        expect(() => folder.at(`${left}/${right}`)).toThrow('unreachable')
      }),
    )
  })
  expect(() => openFolder(join(root, '..'), root)).toThrow('unreachable')
  expect(() => openFolder(`${root}-beside`, root)).toThrow('unreachable')
})
