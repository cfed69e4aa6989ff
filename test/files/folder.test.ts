import {
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Folder, inFolderOf, NotAFolder, openFolder } from '../../src/files/folder.ts'
import { replaceCall, systemError } from './system-call.ts'
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

/** The open files and folders of this process below a path. */
function openBelow(root: string): string[] {
  return readdirSync('/proc/self/fd').flatMap(descriptor => {
    try {
      const path = readlinkSync(`/proc/self/fd/${descriptor}`)
      return path === root || path.startsWith(`${root}/`) ? [path] : []
    } catch {
      return [] // closed meanwhile
    }
  })
}

it.runIf(process.platform === 'linux')('keeps no folder open that it has passed through', () => {
  const root = temporaryFolder()
  mkdirSync(join(root, 'a/b'), { recursive: true })
  withFolder(openFolder(join(root, 'a/b'), root), () => expect(openBelow(root)).toEqual([join(root, 'a/b')]))
  expect(() => openFolder(join(root, 'a/none/x'), root)).toThrow()
  inFolderOf(join(root, 'a/file'), root, folder => folder.sync())
  expect(openBelow(root)).toEqual([])
})

it('a file system that cannot sync a folder does without, one that fails to does not', () => {
  const root = temporaryFolder()
  const codes = ['EINVAL', 'EIO']
  replaceCall('fsyncSync', () => () => {
    throw systemError(codes.shift()!)
  })
  withFolder(Folder.open(root), folder => {
    expect(() => folder.sync()).not.toThrow()
    expect(() => folder.sync()).toThrow(expect.objectContaining({ code: 'EIO' }))
  })
})

describe('where there are no paths through descriptors', () => {
  /** The module as another system loads it. */
  async function loadElsewhere(): Promise<typeof import('../../src/files/folder.ts')> {
    replaceCall('readlinkSync', () => () => {
      throw systemError('ENOENT')
    })
    const path = '../../src/files/folder.ts?elsewhere'
    return import(path)
  }

  it('a folder is opened by its path, and a file is not', async () => {
    const elsewhere = await loadElsewhere()
    const root = temporaryFolder()
    mkdirSync(join(root, 'a/b'), { recursive: true })
    writeFileSync(join(root, 'a/b/file'), 'text')
    symlinkSync('a', join(root, 'link'))
    const folder = elsewhere.openFolder(join(root, 'a/b'), root)
    expect(folder.at('file')).toBe(join(root, 'a/b/file'))
    expect(folder.names()).toEqual(['file'])
    expect(() => folder.sync()).not.toThrow()
    folder.close()
    expect(() => elsewhere.Folder.open(join(root, 'a/b/file'))).toThrow(elsewhere.NotAFolder)
    for (const name of ['link', 'a/b/file'])
      expect(() => elsewhere.openFolder(join(root, name), root), name).toThrow(elsewhere.NotAFolder)
    expect(() => elsewhere.openFolder(join(root, 'none'), root)).toThrow(
      expect.objectContaining({ code: 'ENOENT' }),
    )
    for (const name of ['a/b/file', 'none'])
      expect(elsewhere.openBelow(join(root, name), root, 0)).toBeUndefined()
  })

  it('a folder that another takes the place of, or nothing, is used no more', async () => {
    const elsewhere = await loadElsewhere()
    const root = temporaryFolder()
    mkdirSync(join(root, 'a'))
    const folder = elsewhere.openFolder(join(root, 'a'), root)
    renameSync(join(root, 'a'), join(root, 'moved'))
    expect(() => folder.at('file')).toThrow(elsewhere.NotAFolder)
    mkdirSync(join(root, 'a'))
    expect(() => folder.at('file')).toThrow(elsewhere.NotAFolder)
  })
})
