import { chmodSync, existsSync, mkdtempSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { makeFolders } from '../../src/files/index.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'folders-'))
})

describe('makeFolders', () => {
  it('makes all that is missing, with the mode, and leaves what is there', () => {
    chmodSync(root, 0o755)
    makeFolders(join(root, 'a/b/c'), 0o700)
    for (const path of ['a', 'a/b', 'a/b/c']) expect(statSync(join(root, path)).mode & 0o777).toBe(0o700)
    makeFolders(join(root, 'a/b/c'), 0o755)
    expect(statSync(join(root, 'a/b/c')).mode & 0o777).toBe(0o700)
    expect(statSync(root).mode & 0o777).toBe(0o755)
    makeFolders('/')
  })

  it('follows links, and says what stands in the way', () => {
    makeFolders(join(root, 'real'))
    symlinkSync(join(root, 'real'), join(root, 'link'))
    makeFolders(join(root, 'link/inner'))
    expect(existsSync(join(root, 'real/inner'))).toBe(true)
    writeFileSync(join(root, 'file'), '')
    expect(() => makeFolders(join(root, 'file'))).toThrow(/EEXIST/)
    expect(() => makeFolders(join(root, 'file/inner/deep'))).toThrow(/ENOTDIR/)
    symlinkSync(join(root, 'nowhere'), join(root, 'dangling'))
    expect(() => makeFolders(join(root, 'dangling/inner'))).toThrow(/ENOENT|EEXIST/)
  })

  it.runIf(existsSync('/proc/self'))('ends where the system lets nobody make a folder', () => {
    expect(() => makeFolders('/proc/x')).toThrow(/ENOENT|EACCES|EROFS/)
    expect(() => makeFolders('/proc/x/y/z')).toThrow(/ENOENT|EACCES|EROFS/)
  })
})
