// Python prefers a cached module to the source beside it, Node whatever lies in `node_modules`. So no file of
// a skill is left unsigned.
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makePlace } from '../run-rye.ts'

const CACHE_OF = 'import importlib.util, sys; print(importlib.util.cache_from_source(sys.argv[1]))'
// Marked as never to be compared with the source beside it.
const COMPILE = `import py_compile, sys
mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
py_compile.compile(sys.argv[1], cfile=sys.argv[2], invalidation_mode=mode)`

const place = makePlace()
const skill = join(place.project, '.ai/skills/greet')

function write(path: string, text: string): string {
  const file = join(skill, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

beforeAll(async () => {
  write(
    'SKILL.md',
    '---\nname: greet\ndescription: Greets. Use it to greet.\n---\n\nRun `scripts/greet.py`.\n',
  )
  write('scripts/greet.py', 'import words\nprint(words.HELLO)\n')
  write('scripts/words.py', 'HELLO = "hello"\n')
  await place.rye(['keys', 'generate'])
  await place.rye(['sign', 'skill:greet'])
})
afterAll(() => place.remove())

async function statusOf(): Promise<string> {
  return (await place.rye(['verify', 'skill:greet', '--json'])).json().items[0].status
}

it('a planted .pyc, which Python would run, makes the skill unusable', async () => {
  expect(await statusOf()).toBe('verified')
  const python = (...args: string[]) => spawnSync('python3', args, { encoding: 'utf8' }).stdout.trim()
  const evil = join(place.root, 'evil.py')
  writeFileSync(evil, 'HELLO = "pwned"\n')
  const cached = python('-c', CACHE_OF, join(skill, 'scripts/words.py'))
  mkdirSync(dirname(cached), { recursive: true })
  python('-c', COMPILE, evil, cached)
  // This is the attack: the script is as it was signed, and says something else.
  expect(python(join(skill, 'scripts/greet.py'))).toBe('pwned')

  expect(await statusOf()).toBe('tampered')
  for (const command of ['load', 'execute'])
    expect((await place.rye([command, 'skill:greet', '--json'])).json()).toMatchObject({
      status: 'error',
      code: 'ITEM_TAMPERED',
    })
  rmSync(dirname(cached), { recursive: true })
  expect(await statusOf()).toBe('verified')
})

it.each([
  'node_modules/words/index.js',
  '.venv/bin/python3',
  '.git/hooks/pre-commit',
  '.env',
  'scripts/.hidden.py',
])('a planted %s makes it tampered', async path => {
  const planted = write(path, 'anything\n')
  expect(await statusOf()).toBe('tampered')
  rmSync(planted)
  expect(await statusOf()).toBe('verified')
})
