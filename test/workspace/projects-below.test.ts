import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { findProjectBelow } from '../../src/workspace/projects-below.ts'
import { temporaryFolder } from '../files/temporary-folder.ts'

let root: string
beforeEach(() => {
  root = temporaryFolder()
})

function folder(name: string): string {
  const path = join(root, name)
  mkdirSync(path, { recursive: true })
  return path
}

const below = (name: string) => findProjectBelow(folder(name), join(root, 'home'))

it.each(['app/.git', 'app/.ai', 'github.com/team/app/.git'])('%s makes its parent a project', mark => {
  folder(`work/${mark}`)
  expect(below('work')).toBe(join(root, 'work', mark, '..'))
})

it('a repository whose `.git` is a file counts', () => {
  writeFileSync(join(folder('work/tree'), '.git'), 'gitdir: /elsewhere\n')
  expect(below('work')).toBe(join(root, 'work/tree'))
})

it.each(['.git', '.ai'])(
  'a folder with %s is a project, whatever is in it, and so is what lies in it',
  mark => {
    folder(`work/${mark}`)
    folder('work/packages/a/.git')
    expect(below('work')).toBeUndefined()
    expect(below('work/packages')).toBeUndefined()
  },
)

it('a home that is a repository makes no project of what is in it', () => {
  folder('home/.git')
  folder('home/work/app/.git')
  expect(below('home/work')).toBe(join(root, 'home/work/app'))
  expect(below('home/notes')).toBeUndefined()
})

it('neither what is hidden or installed counts, nor what a link leads to, nor what lies deep', () => {
  for (const name of ['.cache/x', 'node_modules/x', 'a/b/c/d']) folder(`work/${name}/.git`)
  symlinkSync(join(root, 'other'), join(root, 'work/link'))
  folder('other/.git')
  expect(below('work')).toBeUndefined()
})
