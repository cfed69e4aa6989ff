// The ways in which a hostile tool would try to leave the sandbox. Each attempt is first made without a
// sandbox where that is safe, so that no test passes because the attempt itself is broken.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runPlan } from '../../src/execute/run-plan.ts'
import { createRunner, type Runner } from '../../src/execute/runner.ts'
import type { IsolationPolicy } from '../../src/execute/sandbox/isolation.ts'
import { FIXTURES, makeDirectory, makePlan, PYTHON, processInvocation } from '../execute/hand-made-plan.ts'
import { until } from '../fixtures/patience.ts'

const home = makeDirectory()
const userSpace = makeDirectory()
const project = makeDirectory()
const otherProject = makeDirectory()
const outsideTmp = '/var/lib'
let port = 0
let servers: Server[] = []
let abstract: ChildProcess
const ABSTRACT_NAME = `rye-test-${process.pid}`
const LISTEN =
  'import socket, sys; s = socket.socket(socket.AF_UNIX); s.bind("\\0" + sys.argv[1]); s.listen(); print("up", flush=True); sys.stdin.read()'
let sandboxed: Runner
let bare: Runner

const SECRETS = [
  '.ssh/id_ed25519',
  '.aws/credentials',
  '.config/gh/hosts.yml',
  '.gnupg/key',
  '.netrc',
  '.npmrc',
]

function put(path: string, text = 'TOP SECRET'): void {
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, text)
}

beforeAll(async () => {
  for (const name of SECRETS) put(join(home, name))
  put(join(home, '.bashrc'), '# mine')
  put(join(userSpace, '.ai/config/keys/signing/private_key.pem'))
  put(join(userSpace, '.ai/config/keys/trusted/0123456789abcdef.toml'))
  put(join(userSpace, '.ai/tools/fine.py'), '# a tool')
  put(join(project, '.ai/config/policy.yaml'), 'a: 1')
  put(join(userSpace, '.ai/state/projects/x/receipts.jsonl'), '')
  put(join(project, '.git/config'), '[core]')
  put(join(project, 'source.txt'), 'mine')
  const tcp = createServer(socket => socket.end())
  const unix = createServer(socket => socket.end())
  servers = [tcp, unix]
  await new Promise<void>(resolve => tcp.listen(0, '127.0.0.1', resolve))
  await new Promise<void>(resolve => unix.listen(join(otherProject, 'docker.sock'), resolve))
  // Node 20 pads the names of abstract sockets; Python does not.
  abstract = spawn(PYTHON, ['-c', LISTEN, ABSTRACT_NAME])
  await new Promise(resolve => abstract.stdout?.once('data', resolve))
  port = (tcp.address() as { port: number }).port
  const options = { home, userSpace, readable: [FIXTURES, join(userSpace, '.ai'), home] }
  sandboxed = createRunner({ ...options, isolation: 'bubblewrap' })
  bare = createRunner({ ...options, isolation: 'process-group' })
})

afterAll(async () => {
  for (const server of servers) server.close()
  abstract.kill()
  await sandboxed.close()
  await bare.close()
})

interface Attempt {
  readonly escaped: boolean
  readonly why: string
}

async function attempt(runner: Runner, args: readonly string[], projectPath = project): Promise<Attempt> {
  const invocation = processInvocation({
    command: PYTHON,
    args: ['-I', '-S', join(FIXTURES, 'try-to-escape.py'), ...args],
    cwd: projectPath,
  })
  const environment = { PATH: '/usr/bin:/bin', HOME: home }
  const outcome = await runPlan(makePlan({ projectPath, invocation, environment }), runner)
  if (outcome.status === 'error') throw outcome.error
  return outcome.data as unknown as Attempt
}

describe('reading', () => {
  it.each([
    ...SECRETS.map(name => ['home', name] as const),
    ['user', '.ai/config/keys/signing/private_key.pem'],
    ['user', '.ai/config/keys/trusted/0123456789abcdef.toml'],
  ] as const)('a secret of the %s space, %s, is not there', async (space, name) => {
    const path = join(space === 'home' ? home : userSpace, name)
    expect(await attempt(bare, ['read', path])).toEqual({ escaped: true, why: 'TOP SECRET' })
    const inside = await attempt(sandboxed, ['read', path])
    expect(inside.why).not.toContain('TOP SECRET')
  })

  it('the environment of the first process is the tool’s own', async () => {
    const { why } = await attempt(sandboxed, ['read', '/proc/1/environ'])
    expect(why).not.toContain('VITEST')
  })

  it.each([['/proc/1/mem'], ['/dev/mem'], ['/dev/vda'], ['/dev/sda'], ['/etc/shadow/../../proc/kcore']])(
    '%s is closed',
    async path => {
      expect(await attempt(sandboxed, ['read', path])).toMatchObject({ escaped: false })
    },
  )

  it('/proc/self/root leads nowhere else', async () => {
    const { why } = await attempt(sandboxed, ['read', `/proc/self/root${join(home, SECRETS[0]!)}`])
    expect(why).not.toContain('TOP SECRET')
  })

  it('no process of the host is seen', async () => {
    const { escaped, why } = await attempt(sandboxed, ['run', 'ls', '/proc'])
    expect(escaped).toBe(true)
    expect(why.split('\n').filter(name => /^\d+$/.test(name)).length).toBeLessThan(6)
  })

  it('what a tool may need can be read', async () => {
    expect(await attempt(sandboxed, ['read', join(userSpace, '.ai/tools/fine.py')])).toMatchObject({
      escaped: true,
    })
    expect(await attempt(sandboxed, ['read', join(project, '.ai/config/policy.yaml')])).toMatchObject({
      escaped: true,
    })
  })
})

describe('writing', () => {
  it('to the project is allowed', async () => {
    expect(await attempt(sandboxed, ['write', join(project, 'new.txt')])).toMatchObject({ escaped: true })
    expect(readFileSync(join(project, 'new.txt'), 'utf8')).toBe('planted')
  })

  it.each([
    ['the project’s config', () => join(project, '.ai/config/policy.yaml')],
    ['an absent file of the project’s config', () => join(project, '.ai/config/x.yaml')],
    ['the receipts', () => join(userSpace, '.ai/state/projects/x/receipts.jsonl')],
    ['what was used', () => join(userSpace, '.ai/state/projects/x/used-items.json')],
    ['an absent git hook', () => join(project, '.git/hooks/post-checkout')],
    ['the git config', () => join(project, '.git/config')],
    ['the trust store', () => join(userSpace, '.ai/config/keys/trusted/evil.toml')],
    ['an item of the user', () => join(userSpace, '.ai/tools/fine.py')],
    ['a start-up file', () => join(home, '.bashrc')],
    ['an absent start-up file', () => join(home, '.zshrc')],
    ['another project', () => join(otherProject, 'x')],
    ['the system', () => join(outsideTmp, 'rye-planted')],
    ['the fixture that runs', () => join(FIXTURES, 'try-to-escape.py')],
  ])('to %s changes nothing', async (_, path) => {
    const before = existsSync(path()) ? readFileSync(path(), 'utf8') : null
    await attempt(sandboxed, ['write', path()])
    expect(existsSync(path()) ? readFileSync(path(), 'utf8') : null).toBe(before)
  })

  it.each([
    ['.ai', '.ai/config/evil.yaml'],
    ['.git', '.git/hooks/post-checkout'],
  ])('cannot get around %s by renaming it', async (directory, file) => {
    expect(
      await attempt(sandboxed, ['rename-around', join(project, directory), join(project, file)]),
    ).toMatchObject({
      escaped: false,
      why: expect.stringContaining('busy'),
    })
  })

  it('cannot make a repository, or a configuration, where there is none', async () => {
    const fresh = makeDirectory()
    for (const file of ['.git/hooks/post-checkout', '.git/config', '.ai/config/x.yaml']) {
      expect(await attempt(sandboxed, ['write', join(fresh, file)], fresh)).toMatchObject({ escaped: false })
    }
    // A sandbox that ends slowly leaves its mount points to the next run.
    await until(async () => {
      if (isDeepStrictEqual(readdirSync(fresh, { recursive: true }), ['.ai'])) return true
      await attempt(sandboxed, ['read', '/dev/null'], fresh)
      return false
    })
    expect(await attempt(sandboxed, ['write', join(fresh, '.ai/tools/new.py')], fresh)).toMatchObject({
      escaped: true,
    })
  })

  it('a project that is the home directory still protects it', async () => {
    const own = createRunner({ isolation: 'bubblewrap', home, userSpace: home, readable: [FIXTURES] })
    for (const file of [
      '.ssh/authorized_keys',
      '.bashrc',
      '.ai/config/keys/trusted/evil.toml',
      '.aws/config',
    ]) {
      expect(await attempt(own, ['write', join(home, file)], home)).toMatchObject({ escaped: false })
    }
    expect(await attempt(own, ['read', join(home, '.ssh/id_ed25519')], home)).toMatchObject({
      escaped: false,
    })
    await own.close()
  })

  it('what is written to the private tmp is gone with the run', async () => {
    const path = `/tmp/rye-left-behind-${process.pid}`
    expect(await attempt(sandboxed, ['write', path])).toMatchObject({ escaped: true })
    expect(existsSync(path)).toBe(false)
  })
})

describe('the network', () => {
  it.each([
    ['loopback', () => ['tcp', '127.0.0.1', String(port)], true],
    ['an abstract socket', () => ['abstract', ABSTRACT_NAME], true],
    ['a socket of another directory', () => ['unix', join(otherProject, 'docker.sock')], true],
    ['the metadata service', () => ['tcp', '169.254.169.254', '80'], false],
    ['a public address', () => ['tcp', '1.1.1.1', '443'], false],
    ['a name', () => ['dns', 'example.com'], false],
  ])('%s cannot be reached without the permission', async (_, args, reachable) => {
    if (reachable) expect(await attempt(bare, args())).toMatchObject({ escaped: true })
    expect(await attempt(sandboxed, args())).toMatchObject({ escaped: false })
  })

  it('a port of this machine can be reached if it is named', async () => {
    const invocation = processInvocation({
      command: PYTHON,
      args: [join(FIXTURES, 'try-to-escape.py'), 'tcp', '127.0.0.1', String(port)],
      cwd: project,
    })
    const plan = makePlan({
      projectPath: project,
      invocation,
      permissions: { network: [`localhost:${port}`], write: [] },
    })
    expect(await runPlan(plan, sandboxed)).toMatchObject({ data: { escaped: true } })
  })
})

describe('the kernel', () => {
  it.each([
    ['signal us', () => ['kill', String(process.pid)]],
    ['trace us', () => ['ptrace', String(process.pid)]],
    ['mount', () => ['run', 'mount', '-t', 'tmpfs', 'none', '/mnt']],
    ['unmount a protected path', () => ['run', 'umount', join(project, '.ai/config')]],
    ['make a user namespace of its own', () => ['run', 'unshare', '-U', 'true']],
    ['remount the root', () => ['run', 'mount', '-o', 'remount,rw', '/']],
    ['change the owner of a file', () => ['run', 'chown', '1', '/etc/hosts']],
  ])('a tool cannot %s', async (_, args) => {
    expect(await attempt(sandboxed, args())).toMatchObject({ escaped: false })
  })

  it('a set-user-id program gains nothing', async () => {
    const { why } = await attempt(sandboxed, ['run', 'grep', 'NoNewPrivs', '/proc/self/status'])
    expect(why).toContain('1')
  })
})

describe('a declared write path', () => {
  it('is writable, and nothing beside it', async () => {
    const granted = makeDirectory()
    const run = (path: string) => {
      const args = [join(FIXTURES, 'try-to-escape.py'), 'write', path]
      const invocation = processInvocation({ command: PYTHON, args, cwd: project })
      return runPlan(
        makePlan({ projectPath: project, invocation, permissions: { network: [], write: [granted] } }),
        sandboxed,
      )
    }
    expect(await run(join(granted, 'x'))).toMatchObject({ data: { escaped: true } })
    expect(existsSync(join(granted, 'x'))).toBe(true)
    await run(join(`${granted}-beside`, 'x'))
    expect(existsSync(`${granted}-beside`)).toBe(false)
  })
})

describe('a policy', () => {
  it('that demands bubblewrap is an error where it does not work', async () => {
    const { Isolation } = await import('../../src/execute/sandbox/isolation.ts')
    const { ProcessTable } = await import('../../src/execute/process/spawn.ts')
    const withPolicy = (policy: IsolationPolicy, places = ['/no/such/bwrap', '/bin/false']) => {
      const settings = async () => ({ policy, readable: [], writable: [] })
      return new Isolation({ settings, home, userSpace, readable: [], places }, new ProcessTable())
    }
    await expect(withPolicy('bubblewrap').name()).rejects.toMatchObject({
      code: 'ISOLATION_UNAVAILABLE',
    })
    expect(await withPolicy('auto').name()).toBe('process-group')
    const locked = join(makeDirectory(), 'bwrap')
    writeFileSync(locked, '', { mode: 0o644 })
    expect(await withPolicy('auto', [locked]).name()).toBe('process-group')
    // Slow is not the same as absent: a busy machine keeps its sandbox.
    const slow = join(makeDirectory(), 'bwrap')
    writeFileSync(slow, '#!/bin/sh\nsleep 6\n', { mode: 0o755 })
    expect(await withPolicy('auto', [slow]).name()).toBe('bubblewrap')
  })

  it('has bubblewrap tried once in a process if it works, and by each library if it does not', async () => {
    const { Isolation } = await import('../../src/execute/sandbox/isolation.ts')
    const { ProcessTable } = await import('../../src/execute/process/spawn.ts')
    const folder = makeDirectory()
    const [command, log] = [join(folder, 'bwrap'), join(folder, 'log')]
    const write = (then: string) =>
      writeFileSync(command, `#!/bin/sh\necho tried >> ${log}\n${then}\n`, { mode: 0o755 })
    const nameOfNew = async () => {
      writeFileSync(log, '')
      const settings = async () => ({ policy: 'auto' as const, readable: [], writable: [] })
      const options = { settings, home, userSpace, readable: [], places: [command] }
      const isolation = new Isolation(options, new ProcessTable())
      const names = [await isolation.name(), await isolation.name()]
      return { names, tries: readFileSync(log, 'utf8').split('\n').length - 1 }
    }
    // With a filter of system calls, then without.
    const refused = { names: ['process-group', 'process-group'], tries: 2 }
    write('exit 1')
    expect(await nameOfNew()).toEqual(refused)
    expect(await nameOfNew()).toEqual(refused)
    write('exit 0')
    expect(await nameOfNew()).toEqual({ names: ['bubblewrap', 'bubblewrap'], tries: 1 })
    expect(await nameOfNew()).toEqual({ names: ['bubblewrap', 'bubblewrap'], tries: 0 })
  })
})
