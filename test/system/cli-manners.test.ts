// How commands end: when the reader of a pipe stops, at Ctrl-C, with a flag that means nothing.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { until } from '../fixtures/patience.ts'
import { isAsleep, ownNap } from './mcp-world.ts'
import { makePlace, type Place, PROGRAM } from './run-rye.ts'

let place: Place
beforeAll(async () => {
  place = makePlace()
  mkdirSync(join(place.root, 'tmp'))
  await place.rye(['keys', 'generate'])
})
afterAll(() => place.remove())

it('`rye demo | head` ends quietly and leaves nothing', async () => {
  const env = { TMPDIR: join(place.root, 'tmp') }
  const pipe = 'set -o pipefail; "$0" "$1" demo | head -n 2'
  const ran = await place.run('bash', ['-c', pipe, process.execPath, PROGRAM], { env })
  expect(ran).toMatchObject({ status: 0, stderr: '' })
  expect(ran.stdout).toContain('a tour in a temporary project')
  expect(readdirSync(env.TMPDIR)).toEqual([])
})

it('Ctrl-C ends the tour with 130 and leaves nothing', async () => {
  const env = { ...place.environment, TMPDIR: join(place.root, 'tmp') }
  const child = spawn(process.execPath, [PROGRAM, 'demo'], { cwd: place.project, env, stdio: 'pipe' })
  const closed = once(child, 'close')
  let said = ''
  child.stderr.on('data', chunk => {
    said += chunk
  })
  child.stdout.on('data', chunk => {
    if (String(chunk).includes('Create and sign')) child.kill('SIGINT')
  })
  expect((await closed)[0]).toBe(130)
  expect(said).toMatch(/interrupted\n$/)
  expect(readdirSync(env.TMPDIR)).toEqual([])
})

it('Ctrl-C ends a run with 130 and one word', async () => {
  const nap = ownNap()
  await place.rye(['new', 'tool', 'wait', '--command', `sleep ${nap}`])
  const child = spawn(process.execPath, [PROGRAM, 'execute', 'wait'], {
    cwd: place.project,
    env: place.environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', chunk => {
      printed += chunk
    })
  const closed = once(child, 'close')
  // Wait until it listens: before that, a signal ends it like any program.
  await until(() => isAsleep(nap))
  child.kill('SIGINT')
  const [status, signal] = await closed
  expect(status ?? signal).toBe(130)
  expect(printed).toBe('interrupted\n')
})

it.each([
  [['mcp', '--http', '--port', '0'], /listening: /, 'SIGINT', 130],
  [['ui', '--no-open', '--port', '0'], /listening: /, 'SIGTERM', 143],
  [['dev'], /watching /, 'SIGINT', 130],
] as const)('`rye %s` ends by a signal as a shell expects it', async (words, begun, signal, status) => {
  const child = spawn(process.execPath, [PROGRAM, ...words], {
    cwd: place.project,
    env: place.environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const closed = once(child, 'close')
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', chunk => {
      const before = begun.test(printed)
      printed += chunk
      if (!before && begun.test(printed)) child.kill(signal)
    })
  expect((await closed)[0]).toBe(status)
  expect(printed).not.toContain('{')
})

it('a flag that would change nothing is a wrong call', async () => {
  const ran = await place.start(['mcp', '--port', '4'])
  expect(ran).toMatchObject({ status: 2, stdout: '' })
  expect(ran.stderr).toContain('`--port` only works with `--http`')
})

it('--quiet says nothing of what went well, and still warns', async () => {
  await place.rye(['new', 'tool', 'calm/one', '--command', 'echo one', '--quiet'])
  const moved = await place.rye(['mv', 'calm/one', 'rye/bash', '--quiet'])
  expect(moved).toMatchObject({ status: 0, stdout: '' })
  expect(moved.stderr).toBe('warning: it is used instead of `rye/bash` of the system space\n')
  expect(await place.rye(['rm', 'tool:rye/bash@project', '--quiet'])).toMatchObject({
    ...{ status: 0, stdout: '', stderr: '' },
  })
})
