// An update that is killed, or whose disk fails, at each of its renames in turn: the next run finds the old
// state or the new one, and nothing half done.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { IS_TORTURE } from '../fixtures/tries.ts'
import { skill } from '../workspace/scratch.ts'
import { makePlace, PROGRAM } from './run-rye.ts'

const STEP = IS_TORTURE ? 1 : 4
const NAMES = ['a', 'b']

it.each([
  ['is killed', 'signal=KILL'],
  ['meets a disk that fails', 'error=EIO'],
])('an update that %s leaves the old state or the new one', { timeout: 300_000 }, async (_, fault) => {
  const place = makePlace()
  onTestFinished(() => place.remove())
  const vendor = join(place.root, 'vendor')
  const write = (description: string) => {
    for (const name of NAMES) {
      mkdirSync(join(vendor, name), { recursive: true })
      writeFileSync(join(vendor, name, 'SKILL.md'), skill(name, description))
      writeFileSync(join(vendor, name, 'more.md'), `${description}\n`)
    }
  }
  write('Old')
  await place.rye(['keys', 'generate'])
  expect((await place.rye(['add', '../vendor'])).status).toBe(1)
  const shown = await place.rye(['add', '../vendor', '--dry-run', '--json'])
  expect(shown.status).toBe(0)
  const first = shown.json()
  expect((await place.rye(['add', '../vendor', '--accept', first.digest, '--json'])).status).toBe(0)
  write('New')
  const changed = await place.rye(['update', '--dry-run', '--json'])
  expect(changed.status).toBe(0)
  const { sources } = changed.json()
  const folders = ['project', 'user'].map(name => join(place.root, name))
  for (const folder of folders) cpSync(folder, `${folder}.before`, { recursive: true })
  const seen = new Set<string>()
  for (let count = 1, isKilled = true; isKilled; count += STEP) {
    for (const folder of folders) {
      rmSync(folder, { recursive: true })
      cpSync(`${folder}.before`, folder, { recursive: true })
    }
    const inject = `inject=rename,renameat,renameat2:${fault}:when=${count}`
    const traced = [
      '-f',
      '-qq',
      '-o',
      join(place.root, 'trace'),
      '-e',
      'trace=rename,renameat,renameat2',
      '-e',
      inject,
    ]
    const update = ['update', '--accept', sources[0].digest, '--json']
    const ran = await place.run('strace', [...traced, process.execPath, PROGRAM, ...update])
    isKilled = ran.status !== 0
    const after = await place.rye(['install', '--frozen', '--json'])
    expect({ count, ...after.json() }).toMatchObject({ edited: [], untrusted: [], written: [] })
    const state = NAMES.flatMap(name =>
      ['SKILL.md', 'more.md'].map(file =>
        readFileSync(join(place.project, '.ai/skills', name, file), 'utf8'),
      ),
    )
    const words = new Set(state.map(text => (text.includes('New') ? 'new' : 'old')))
    expect(words.size, `${fault} at rename ${count}`).toBe(1)
    seen.add([...words][0]!)
  }
  expect(seen).toContain('new')
})
