import { chmodSync, chownSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makePrivateFolder } from '../../src/files/private-folder.ts'
import { temporaryFolder } from './temporary-folder.ts'

const modeOf = (path: string) => statSync(path).mode & 0o777
const refused = expect.objectContaining({ code: 'WRITE_FAILED' })

it('makes a folder for its owner alone, and says whether it was missing', () => {
  const root = temporaryFolder()
  expect(makePrivateFolder(join(root, 'a/b'), root)).toBe(true)
  expect([modeOf(join(root, 'a')), modeOf(join(root, 'a/b'))]).toEqual([0o700, 0o700])
  expect(makePrivateFolder(join(root, 'a/b'), root)).toBe(false)
})

it.each([0o755, 0o770, 0o701, 0o777])('closes one that others may enter (mode %i)', mode => {
  const root = temporaryFolder()
  mkdirSync(join(root, 'a'))
  chmodSync(join(root, 'a'), mode)
  expect(makePrivateFolder(join(root, 'a'), root)).toBe(false)
  expect(modeOf(join(root, 'a'))).toBe(0o700)
})

it('leaves a stricter one as it is', () => {
  const root = temporaryFolder()
  mkdirSync(join(root, 'a'), { mode: 0o500 })
  makePrivateFolder(join(root, 'a'), root)
  expect(modeOf(join(root, 'a'))).toBe(0o500)
})

it('refuses what is no folder, and a link on the way', () => {
  const root = temporaryFolder()
  mkdirSync(join(root, 'real'))
  symlinkSync('real', join(root, 'link'))
  writeFileSync(join(root, 'file'), '')
  for (const name of ['file', 'file/a', 'link', 'link/a'])
    expect(() => makePrivateFolder(join(root, name), root), name).toThrow(refused)
})

it.runIf(process.geteuid?.() === 0)('refuses the folder of another user', () => {
  const root = temporaryFolder()
  mkdirSync(join(root, 'a'))
  chownSync(join(root, 'a'), 12345, 12345)
  expect(() => makePrivateFolder(join(root, 'a'), root)).toThrow('is not a folder of this user')
})
