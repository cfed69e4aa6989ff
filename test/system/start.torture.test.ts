// A start of the built command: it leaves compiled code behind, uses it the next time, and survives whatever
// it finds there.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type CodeCache, describeCodeCache, sealCode } from '../../src/program/code-cache.ts'
import { until } from '../fixtures/patience.ts'
import { makePlace, type Place, PROGRAM, type Ran } from './run-rye.ts'

const isRoot = process.geteuid?.() === 0
let place: Place
let command: string
let folder: string
let plain: Ran

/** A package of its own, so that no other test's start is met. */
function install(name: string): string {
  const root = join(place.root, name)
  mkdirSync(root)
  cpSync(dirname(PROGRAM), join(root, 'dist'), { recursive: true })
  for (const beside of ['system', 'node_modules']) {
    symlinkSync(join(dirname(dirname(PROGRAM)), beside), join(root, beside))
  }
  return root
}

function start(words: readonly string[], flags: readonly string[] = []): Promise<Ran> {
  return place.run(process.execPath, [...flags, command, ...words])
}

function files(): Map<string, number> {
  const names = existsSync(folder) ? readdirSync(folder).sort() : []
  return new Map(names.map(name => [name, statSync(join(folder, name)).ino]))
}

/** The arguments as the command itself sees them: flags of this process are not its flags. */
function cacheOf(name: string): CodeCache {
  const own = process.execArgv
  process.execArgv = []
  try {
    return describeCodeCache(join(dirname(command), 'program.cjs'), name, place.environment)
  } finally {
    process.execArgv = own
  }
}

beforeAll(() => {
  place = makePlace()
})
afterAll(() => place.remove())
beforeEach(async context => {
  const root = install(context.task.id)
  command = join(root, 'dist', 'rye.cjs')
  folder = join(root, '.cache', 'code')
  plain = await start(['--help'])
  expect(plain).toMatchObject({ status: 0, stderr: '' })
})

it('the first start leaves its code, the second takes it and leaves it alone', async () => {
  const first = files()
  expect([...first.keys()]).toEqual([cacheOf('help').name])
  expect(await start(['--help'])).toMatchObject({ status: 0, stdout: plain.stdout, stderr: '' })
  expect(files()).toEqual(first)
})

it('the version loads nothing and leaves nothing, and a call that fails leaves nothing', async () => {
  const before = files()
  expect((await start(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  expect((await start(['-V'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  expect((await start(['serach'])).status).toBe(2)
  expect((await start(['load', 'tool:no/such'])).status).toBe(1)
  expect(files()).toEqual(before)
})

it('damaged code is compiled again and replaced', async () => {
  const path = join(folder, cacheOf('help').name)
  const sound = readFileSync(path)
  for (const at of [0, 40, sound.length >> 1, sound.length - 1]) {
    const damaged = Buffer.from(sound)
    damaged[at] = damaged[at]! ^ 0xff
    writeFileSync(path, damaged)
    expect(await start(['--help'])).toMatchObject({ status: 0, stdout: plain.stdout, stderr: '' })
    expect(readFileSync(path).equals(damaged)).toBe(false)
  }
})

it('code that V8 refuses is compiled again and replaced', async () => {
  const cache = cacheOf('help')
  const path = join(folder, cache.name)
  const sealed = sealCode(cache, Buffer.from('sealed, and yet no code at all'))
  writeFileSync(path, sealed)
  expect(await start(['--help'])).toMatchObject({ status: 0, stdout: plain.stdout, stderr: '' })
  expect(readFileSync(path).equals(sealed)).toBe(false)
})

it('another program at the same place is not run with the code of the old one', async () => {
  const path = join(dirname(command), 'program.cjs')
  // Of the same length, which is all that V8 compares.
  const changed = readFileSync(path, 'latin1').replace('usage: rye', 'USAGE: rye')
  writeFileSync(path, changed)
  const { stdout } = await start(['--help'])
  expect(stdout).toBe(plain.stdout.replace('usage: rye', 'USAGE: rye'))
  expect(stdout).not.toBe(plain.stdout)
})

it('other flags of Node have code of their own', async () => {
  expect(await start(['--help'], ['--jitless'])).toMatchObject({ status: 0, stdout: plain.stdout })
  expect(files().size).toBe(2)
})

it('an index is opened, and a tool is found, by code from the cache', async () => {
  const words = ['search', 'write a file', '--json']
  const first = await start(words)
  expect(first.json().results.length).toBeGreaterThan(0)
  await until(async () => (await start(words)).status === 0 && files().has(cacheOf('search').name))
  const before = files()
  expect((await start(words)).json().results).toEqual(first.json().results)
  expect(files()).toEqual(before)
})

it('a search that just answers reads nothing of the rest of the program', async () => {
  const words = ['search', 'write a file', '--json']
  await until(async () => (await start(words)).status === 0 && files().has(cacheOf('search').name))
  const answer = await start(words)
  writeFileSync(join(dirname(command), 'program-rest.cjs'), 'no program')
  expect((await start(words)).json().results).toEqual(answer.json().results)
  expect((await start(['mcp', 'list'])).stderr).toContain('rye is damaged')
})

it('damaged code of the rest is compiled again and replaced', async () => {
  const words = ['list', '--json']
  const plain = await start(words)
  const [name] = [...files().keys()].filter(name => name.startsWith('other-rest-'))
  const path = join(folder, name!)
  const damaged = readFileSync(path)
  damaged[damaged.length >> 1]! ^= 0xff
  writeFileSync(path, damaged)
  expect(await start(words)).toMatchObject({ status: 0, stdout: plain.stdout, stderr: '' })
  expect(readFileSync(path).equals(damaged)).toBe(false)
})

it('a start that builds an index leaves no code, the next one does', async () => {
  const folder = join(place.project, '.ai/knowledge')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'tea.md'), '---\nname: tea\n---\n\nHow tea is made.\n')
  const words = ['search', 'tea', '--json']
  const isLeft = () => files().has(cacheOf('search').name)
  expect((await start(words)).status).toBe(0)
  expect(isLeft()).toBe(false)
  // A file that was written a moment ago is looked at again.
  await untilLeft(words, isLeft)
})

it('a start that had to look at every file leaves no code, though it wrote nothing', async () => {
  const path = join(place.project, '.ai/knowledge/coffee.md')
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, '---\nname: coffee\n---\n\nHow coffee is made.\n')
  const hour = 3600
  const now = Date.now() / 1000
  // Nobody can tell whether a file of the future was written since.
  utimesSync(path, now, now + hour)
  const words = ['search', 'coffee', '--json']
  const isLeft = () => files().has(cacheOf('search').name)
  for (let time = 0; time < 3; time++) {
    expect((await start(words)).json().results).toHaveLength(1)
    expect(isLeft()).toBe(false)
  }
  utimesSync(path, now, now - hour)
  await untilLeft(words, isLeft)
})

/** It takes seconds until a change counts as old, and a start takes more of the machine than a look. */
async function untilLeft(words: readonly string[], isLeft: () => boolean): Promise<void> {
  await until(async () => {
    await pause(300)
    return (await start(words)).status === 0 && isLeft()
  })
}

it.each(['2025-11-25', '2024-11-05'])('a server leaves its code, and answers %s from it', async version => {
  const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  const input = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`
  const first = await serve(input)
  const before = files()
  expect(before.has(cacheOf('mcp').name)).toBe(true)
  expect(first.result).toMatchObject({ protocolVersion: version, serverInfo: { name: 'rye' } })
  expect(await serve(input)).toEqual(first)
  expect(files()).toEqual(before)
})

/**
 * Asks a server one thing, and ends its input once it has answered; the server does not wait long for answers
 * after that.
 */
async function serve(input: string): Promise<{ readonly result: object }> {
  const server = spawn(process.execPath, [command, 'mcp'], {
    cwd: place.project,
    env: place.environment,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const closed = once(server, 'close')
  server.stdin.write(input)
  let output = ''
  for await (const chunk of server.stdout) {
    output += chunk
    if (output.endsWith('\n')) server.stdin.end()
  }
  expect(await closed).toEqual([0, null])
  return JSON.parse(output)
}

it.skipIf(!isRoot)('a package that is not ours is not written; the state of the user is', async () => {
  const root = dirname(dirname(command))
  const state = join(place.user, '.ai', 'state')
  mkdirSync(state, { recursive: true })
  chownSync(root, 65534, 65534)
  const before = files()
  expect((await start(['list', '--json'])).status).toBe(0)
  expect(files()).toEqual(before)
  expect(readdirSync(join(state, 'code'))).toContain(cacheOf('other').name)
})

it('a place that cannot be written is no failure', async () => {
  const root = dirname(dirname(command))
  const cache = join(root, '.cache')
  chmodSync(folder, 0o777)
  expect(await start(['--help'])).toMatchObject({ status: 0, stdout: plain.stdout, stderr: '' })
  expect(existsSync(cache)).toBe(true)
})

describe('`-C DIR`', () => {
  it('runs a command as if it had been started there', async () => {
    const [there, elsewhere] = [join(place.root, 'there'), join(place.root, 'elsewhere')]
    for (const folder of [join(there, '.ai'), join(there, 'below'), elsewhere])
      mkdirSync(folder, { recursive: true })
    const call = (cwd: string, ...words: string[]) =>
      place.run('sh', [
        '-c',
        'cd "$0" && exec "$@"',
        cwd,
        process.execPath,
        command,
        ...words,
        'list',
        '--json',
      ])
    const expected = (await call(join(there, 'below'))).json()
    expect(expected).toMatchObject({ project_path: there })
    expect((await call(elsewhere, '-C', '../there/below')).json()).toEqual(expected)
    const version = await place.run(process.execPath, [command, '-C', there, '--version'])
    expect(version).toMatchObject({ status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) })
    const lost = await place.run(process.execPath, [command, '-C', there, 'show', 'tool:nothing'])
    expect(lost.stderr).toContain(`rye -C ${there} `)
  })

  it.each([
    [['-C'], 'expected a directory after `-C`'],
    [['-C', ''], 'expected a directory after `-C`'],
    [['-C', 'nowhere', '--version'], 'cannot go to `nowhere`: ENOENT'],
    [['-C', 'nowhere', 'list'], 'cannot go to `nowhere`: ENOENT'],
    [['-C', 'no\u001b[31m', 'list'], 'cannot go to `no\\u{1b}[31m`: ENOENT'],
  ])('is refused as in %j', async (words, error) => {
    const hint = 'name a directory that exists: rye -C DIR COMMAND'
    expect(await place.run(process.execPath, [command, ...words])).toMatchObject({
      status: 2,
      stdout: '',
      stderr: `error: ${error}\nhint: ${hint}\n`,
    })
  })

  it('is refused in JSON where that was asked for', async () => {
    const answer = await place.run(process.execPath, [command, '-C', 'nowhere', 'list', '--json'])
    expect(answer.json()).toEqual({
      status: 'error',
      error: 'cannot go to `nowhere`: ENOENT',
      code: 'INVALID_INPUT',
      hint: 'name a directory that exists: rye -C DIR COMMAND',
    })
  })
})

it.each([['search', 'x'], ['list'], ['mcp']])(
  '`%s` in a directory that is gone says so',
  async (...words) => {
    const script = 'mkdir -p gone && cd gone && rmdir ../gone && exec "$@"'
    const call = (...flags: string[]) =>
      place.run('sh', ['-c', script, 'sh', process.execPath, command, ...words, ...flags])
    expect(await call()).toMatchObject({
      status: 1,
      stdout: '',
      stderr: 'error: the current directory is gone\nhint: go to a directory that exists\n',
    })
    expect((await call('--json')).json()).toEqual({
      status: 'error',
      error: 'the current directory is gone',
      code: 'PROJECT_NOT_FOUND',
      hint: 'go to a directory that exists',
    })
  },
)
