import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { holdFile } from '../../../src/execute/sandbox/guarded-file.ts'
import { findLeftGuards } from '../../../src/execute/sandbox/left-guards.ts'
import { holdMountPoint } from '../../../src/execute/sandbox/mount-point.ts'
import { ownerTag } from '../../../src/files/index.ts'
import { temporaryFolder } from '../../files/temporary-folder.ts'

const DEAD = spawnSync(process.execPath, ['--version']).pid

function places() {
  const root = temporaryFolder()
  const [projectPath, home] = [join(root, 'project'), join(root, 'home')]
  for (const folder of [projectPath, home]) mkdirSync(folder)
  return { projectPath, home, userSpace: home }
}

function hold(directory: string, pid: number, owner = ownerTag()): void {
  mkdirSync(directory, { recursive: true })
  chmodSync(directory, 0o1700)
  mkdirSync(join(directory, `.rye-${owner}-${pid}-0123456789abcdef.hold`))
}

it('what killed runs left is found, also where they had just begun', () => {
  const at = places()
  const { projectPath } = at
  for (const name of ['.git', '.ai/config', '.claude', '.rye-guard-refs', '.rye-guard-objects'])
    hold(join(projectPath, name), DEAD)
  mkdirSync(join(projectPath, '.vscode'))
  chmodSync(join(projectPath, '.vscode'), 0o1700)
  utimesSync(join(projectPath, '.vscode'), 1, 1)
  const names = ['.ai/config', '.claude', '.git', '.rye-guard-objects', '.rye-guard-refs', '.vscode']
  expect(findLeftGuards(at)).toEqual(names.map(name => join(projectPath, name)))
})

it('a file is named, and the folder that stands for it', () => {
  const at = places()
  const path = join(at.projectPath, '.claude/settings.json')
  mkdirSync(join(path, '..'))
  const { directory } = holdFile(path, { text: '{}\n' })!
  expect(findLeftGuards(at)).toEqual([])
  const [name] = readdirSync(directory)
  renameSync(join(directory, name!), join(directory, name!.replace(`-${process.pid}-`, `-${DEAD}-`)))
  expect(findLeftGuards(at)).toEqual([directory, path].sort())
})

it('what people share, and what lies outside of the project, is not', () => {
  const at = places()
  const shared = [at.home, at.projectPath, join(at.home, '..')]
  const inside = ['.vscode', '.claude', '.ai/config'].map(name => join(at.projectPath, name))
  for (const folder of inside) mkdirSync(folder, { recursive: true })
  for (const folder of [...inside, ...shared]) {
    chmodSync(folder, 0o1777)
    utimesSync(folder, 1, 1)
  }
  mkdirSync(join(at.home, '.cursor'), 0o1700)
  utimesSync(join(at.home, '.cursor'), 1, 1)
  expect(findLeftGuards(at)).toEqual([])
})

it('what a living process, another machine or the user has is not', async () => {
  const at = places()
  const held = holdMountPoint(join(at.projectPath, '.vscode'), true)
  hold(join(at.projectPath, '.git'), DEAD, '00000000')
  hold(join(at.projectPath, '.claude'), DEAD)
  writeFileSync(join(at.projectPath, '.claude/settings.json'), '{"mine": true}')
  chmodSync(join(at.projectPath, '.claude/settings.json'), 0o1600)
  mkdirSync(join(at.projectPath, '.ai/config'), { recursive: true })
  utimesSync(join(at.projectPath, '.ai/config'), 1, 1)
  mkdirSync(join(at.projectPath, '.rye-guard-commondir'), 0o700)
  expect(findLeftGuards(at)).toEqual([])
  await held?.release()
})
