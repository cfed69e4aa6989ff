// Many servers run one tool for the first time at once: each makes its private copy in the same place.
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { tries } from '../fixtures/tries.ts'
import { buildProgram } from './programs/build-program.ts'

const PROCESSES = 8
const COPIES = tries({ usual: 50, torture: 100 })

let built: { folder: string; program: string }
beforeAll(async () => {
  built = await buildProgram('write-private-copies')
})
afterAll(() => rmSync(built.folder, { recursive: true, force: true }))

it('processes that write the same private copies do not disturb each other', async () => {
  const root = join(built.folder, 'private-copies')
  const failures = await Promise.all(
    Array.from({ length: PROCESSES }, () =>
      text(spawn(process.execPath, [built.program, root, String(COPIES)]).stderr),
    ),
  )
  expect(failures.filter(Boolean)).toEqual([])
  const names = readdirSync(root).sort((a, b) => Number(a) - Number(b))
  expect(names).toHaveLength(COPIES)
  for (const name of names) {
    expect(readdirSync(join(root, name), { recursive: true }).sort()).toEqual([
      'a.sh',
      'c.sh',
      'lib',
      'lib/b.sh',
    ])
    expect(readFileSync(join(root, name, 'lib/b.sh'), 'utf8')).toBe('echo hello\n')
  }
})
