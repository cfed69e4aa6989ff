// A process in a project keeps swapping a folder for a link that leads out of it, while items are indexed and
// signed. Nothing behind the link may be read into the index or written.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { knowledge } from '../../workspace/scratch.ts'
import { makePlace, type Place } from '../run-rye.ts'

const SWAPPER = fileURLToPath(new URL('swap-folder.mjs', import.meta.url))
const TRIES = 20
/** Signing is quicker. */
const SIGN_TRIES = 50
const ITEMS = 150
const SECRET = 'crownjewels'

let place: Place
let outside: string
let stopSwapping: () => Promise<void>
beforeEach(() => {
  place = makePlace()
  outside = join(place.root, 'outside')
  mkdirSync(outside)
})
afterEach(async () => {
  await stopSwapping()
  place.remove()
})

function fill(folder: string, extension: string, write: (id: string) => string): void {
  mkdirSync(folder, { recursive: true })
  for (let number = 0; number < ITEMS; number++)
    writeFileSync(join(folder, `n${number}${extension}`), write(`sub/n${number}`))
}

async function startSwapping(folder: string): Promise<void> {
  const swapper = spawn(process.execPath, [SWAPPER, folder, outside], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(swapper, 'close')
  stopSwapping = async () => {
    const isAttacking = swapper.exitCode === null
    swapper.kill('SIGKILL')
    await closed
    expect(isAttacking).toBe(true)
  }
  await once(swapper.stdout, 'data')
}

function tool(id: string): string {
  const metadata = { version: '1.0.0', executor_id: 'rye/core/runtimes/bash/bash', tool_type: 'bash' }
  const lines = Object.entries({ ...metadata, category: 'sub', tool_description: id }).map(
    ([name, value]) => `# __${name}__ = ${JSON.stringify(value)}`,
  )
  return ['#!/bin/bash', ...lines, 'echo 1', ''].join('\n')
}

it('what lies behind a swapped folder never reaches the index', {
  timeout: 300_000 + TRIES * 15_000,
}, async () => {
  const folder = join(place.project, '.ai/knowledge/sub')
  fill(folder, '.md', id => knowledge(id, { body: 'plain' }))
  fill(outside, '.md', id => knowledge(id, { body: SECRET }))
  await startSwapping(folder)
  const total = async (query: string): Promise<number> =>
    (await place.rye(['search', query, '--source', 'project', '--json'])).json().total
  let indexed = 0
  // Whether the folder is there when it is looked at is chance: until it was.
  for (let time = 0; time < TRIES || indexed === 0; time++) {
    expect((await place.rye(['index', '--rebuild'])).status).toBe(0)
    indexed += await total('plain')
    expect(await total(SECRET)).toBe(0)
  }
})

it('what lies behind a swapped folder is neither parsed nor scanned', {
  timeout: 30_000 + TRIES * 15_000,
}, async () => {
  const folder = join(place.project, '.ai/skills/sub/references')
  fill(folder, '.md', id => `# ${id}\n\nplain\n`)
  fill(outside, '.md', id => `# ${SECRET}\n\n${id} ${SECRET}\n`)
  writeFileSync(join(folder, '../SKILL.md'), '---\nname: sub\ndescription: plain\n---\n\n# sub\n')
  await startSwapping(folder)
  let seen = 0
  for (let time = 0; time < TRIES; time++) {
    for (const words of [
      ['parse', '.ai/skills', '--type', 'knowledge', '--json'],
      ['skills', 'scan', '.ai/skills', '--json'],
      ['knowledge', 'scan', '.ai/skills', '--json'],
    ]) {
      const { stdout } = await place.rye(words)
      expect(stdout).not.toContain(SECRET)
      seen += stdout.split('plain').length - 1
    }
  }
  expect(seen).toBeGreaterThan(0)
})

it('nothing behind a swapped folder is signed or written', {
  timeout: 30_000 + SIGN_TRIES * 15_000,
}, async () => {
  const folder = join(place.project, '.ai/tools/sub')
  fill(folder, '.sh', tool)
  fill(outside, '.sh', tool)
  expect((await place.rye(['keys', 'generate'])).status).toBe(0)
  await startSwapping(folder)
  for (let time = 0; time < SIGN_TRIES; time++) {
    await place.rye(['sign', 'tool:sub/*', '--json'])
    expect(readdirSync(outside)).toHaveLength(ITEMS)
    for (let number = 0; number < ITEMS; number++)
      expect(readFileSync(join(outside, `n${number}.sh`), 'utf8')).toBe(tool(`sub/n${number}`))
  }
})
