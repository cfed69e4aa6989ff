import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { findProjectAround } from '../../../src/execute/sandbox/project-around.ts'
import { temporaryFolder } from '../../files/temporary-folder.ts'

let root: string
beforeEach(() => {
  root = temporaryFolder()
})

function folder(name: string): string {
  const path = join(root, name)
  mkdirSync(path, { recursive: true })
  return path
}

const around = (name: string) => findProjectAround(folder(name), join(root, 'home'))

it.each(['.git', '.ai'])('a folder with %s is a project, and so is what lies in it', mark => {
  folder(`code/${mark}`)
  expect(around('code')).toBe(join(root, 'code'))
  expect(around('code/packages/a')).toBe(join(root, 'code'))
  expect(around('other')).toBeUndefined()
})

it('the innermost counts, also behind a link, and for what is not there', () => {
  folder('code/.git')
  folder('code/packages/a/.git')
  expect(around('code/packages/a/lib')).toBe(join(root, 'code/packages/a'))
  symlinkSync(join(root, 'code'), join(root, 'link'))
  expect(findProjectAround(join(root, 'link'), join(root, 'home'))).toBe(join(root, 'code'))
  expect(findProjectAround(join(root, 'code/none'), join(root, 'home'))).toBe(join(root, 'code'))
})

it('neither a home that is a repository nor one among its settings is a project', () => {
  folder('home/.git')
  folder('home/.config/nvim/.git')
  folder('home/code/app/.git')
  expect(around('home/notes')).toBeUndefined()
  expect(around('home/.config/nvim')).toBeUndefined()
  expect(around('home/code')).toBeUndefined()
  expect(around('home/code/app')).toBe(join(root, 'home/code/app'))
})
