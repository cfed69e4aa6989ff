// `outdated` only looks: it waits for nobody, finishes nothing, and writes nothing.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sha256Hex } from '../../../src/base/digest.ts'
import { acquireMutex } from '../../../src/files/file-mutex.ts'
import { skill } from '../../workspace/scratch.ts'
import { project, vendor } from './vendor-project.ts'

const WAITING = { waitMs: 1000, holdMs: 60_000, subject: 'a test' }

it('tells whether a folder has something newer while somebody else changes the space', async () => {
  const { made } = await project()
  const state = made.library.states.make(made.project).path
  const lock = await acquireMutex(join(state, 'sources.lock'), WAITING)
  try {
    expect(await made.run('outdated')).toMatchObject({ outdated: 0, sources: [{ state: 'current' }] })
    vendor(made, { 'pdf/SKILL.md': skill('pdf', 'Newer') })
    expect(await made.run('outdated')).toMatchObject({ outdated: 1, sources: [{ state: 'outdated' }] })
  } finally {
    lock.release()
  }
}, 10_000)

it('leaves a change that was interrupted to whoever changes the space', async () => {
  const { made } = await project()
  const before = made.read('.ai/rye.lock')
  const script = '.ai/skills/pdf/scripts/a.sh'
  const note = {
    ...{ version: 2, files: [], removed: [[script, sha256Hex(made.read(script))]], approvals: [] },
    ...{ lock: 'rye lock v1\n', lock_before: sha256Hex(before) },
  }
  const path = join(made.library.states.make(made.project).path, 'unfinished-change.json')
  for (const text of [JSON.stringify(note), 'damaged']) {
    writeFileSync(path, text)
    expect(await made.run('outdated')).toMatchObject({ sources: [{ state: 'current' }] })
    expect(readFileSync(path, 'utf8')).toBe(text)
  }
  expect(made.read('.ai/rye.lock')).toBe(before)
  expect(existsSync(made.path(script))).toBe(true)
})
