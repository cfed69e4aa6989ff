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

const below = (name: string) => findProjectBelow(folder(name))

it.each(['app/.git', 'app/.ai', 'github.com/team/app/.git'])('%s makes its parent a project', mark => {
  folder(`code/${mark}`)
  expect(below('code')).toBe(join(root, 'code', mark, '..'))
})

it('a repository whose `.git` is a file counts', () => {
  writeFileSync(join(folder('code/tree'), '.git'), 'gitdir: /elsewhere\n')
  expect(below('code')).toBe(join(root, 'code/tree'))
})

it('neither what is hidden or installed counts, nor what a link leads to, nor what lies deep', () => {
  for (const name of ['.cache/x', 'node_modules/x', 'a/b/c/d']) folder(`code/${name}/.git`)
  symlinkSync(join(root, 'other'), join(root, 'code/link'))
  folder('other/.git')
  expect(below('code')).toBeUndefined()
})
