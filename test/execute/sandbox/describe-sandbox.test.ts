// What a run must not see stays hidden, whatever its tool and project name.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describeSandbox } from '../../../src/execute/sandbox/describe-sandbox.ts'
import type { MountPoint } from '../../../src/execute/sandbox/mount-point.ts'
import { temporaryFolder } from '../../files/temporary-folder.ts'

it('no declared path, working directory or worktree opens a hidden folder', async () => {
  const root = temporaryFolder()
  const [home, own, other] = [join(root, 'home'), join(root, 'own'), join(root, 'other')]
  const git = join(other, '.git/worktrees/w')
  for (const folder of [home, join(own, 'data'), join(other, '.ai'), git, join(root, 'free')])
    mkdirSync(folder, { recursive: true })
  writeFileSync(join(own, '.git'), `gitdir: ${git}\n`)
  writeFileSync(join(git, 'gitdir'), `${join(own, '.git')}\n`)
  writeFileSync(join(git, 'commondir'), '../..\n')
  const write = [join(own, 'data'), join(root, 'free'), other, join(other, '.ai')]
  const permissions = { network: [], write, limits: {} }
  const points: MountPoint[] = []
  const request = { command: '/bin/sh', cwd: other, env: {}, projectPath: own, permissions, readable: [] }
  const seen = (hidden: readonly string[]) =>
    describeSandbox({ ...request, hidden }, { home, userSpace: home, readable: [] }, points)
      .mounts.filter(({ access }) => access === 'read-only' || access === 'writable')
      .map(({ path }) => path)
  try {
    expect(seen([])).toEqual(expect.arrayContaining([...write, own]))
    for (const hidden of [[other], [root]]) {
      const paths = seen([...hidden, own])
      expect(paths).toEqual(expect.arrayContaining([own, join(own, 'data')]))
      expect(paths.filter(path => path.startsWith(other))).toEqual([])
    }
  } finally {
    await Promise.all(points.map(point => point.release()))
  }
})
