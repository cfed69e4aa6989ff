// The durable write, interrupted at each of its system calls in turn: killed there, or failed by the kernel.
// strace injects the fault into the Nth call of one kind, for N = 1, 2, ... until the program ends
// undisturbed. Whatever happens, the file is the old one or the new one, and the next run leaves nothing else
// behind.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { AppError } from '../../src/base/app-error.ts'
import { atomicWrite } from '../../src/files/atomic-write.ts'
import { describeKey } from '../../src/trust/identity-document.ts'
import { generateKey } from '../../src/trust/key.ts'
import { sign } from '../../src/trust/sign.ts'
import { verify } from '../../src/trust/verify.ts'
import { IS_TORTURE } from '../fixtures/tries.ts'
import { contextWith, XML_MARKS } from '../trust/samples.ts'
import { buildProgram } from './programs/build-program.ts'

/** The calls of a write, and the faults that each can meet. */
const CALLS: Readonly<Record<string, readonly string[]>> = {
  openat: ['signal=KILL', 'error=ENOSPC'],
  write: ['signal=KILL', 'error=ENOSPC', 'error=EIO'],
  fchmod: ['signal=KILL', 'error=EIO'],
  fsync: ['signal=KILL', 'error=ENOSPC', 'error=EIO'],
  close: ['signal=KILL', 'error=EIO'],
  mkdir: ['signal=KILL', 'error=ENOSPC'],
  rename: ['signal=KILL', 'error=ENOSPC', 'error=EIO'],
  link: ['signal=KILL', 'error=ENOSPC'],
  unlink: ['signal=KILL', 'error=EIO'],
  getdents64: ['signal=KILL', 'error=EIO'],
}
/** Some machines know only the newer names. */
const NEWER_NAMES: Readonly<Record<string, string>> = {
  mkdir: 'mkdirat',
  rename: 'renameat',
  link: 'linkat',
  unlink: 'unlinkat',
}
const BODY = '# Shared\n\nText.\n'

let signFile: { folder: string; program: string }
let createFile: { folder: string; program: string }
beforeAll(async () => {
  if (spawnSync('strace', ['-V']).status !== 0) throw new Error('strace is needed for this test')
  signFile = await buildProgram('sign-file')
  createFile = await buildProgram('create-file')
})
afterAll(() => {
  for (const built of [signFile, createFile]) rmSync(built.folder, { recursive: true, force: true })
})

interface Operation {
  readonly root: string
  readonly program: string
  readonly arguments: readonly string[]
  /** The next write to the same file. */
  readonly repeat: () => void
}

interface Interruption {
  /** The call that the fault hit, as strace prints it; undefined when the program ended before the Nth. */
  readonly call: string | undefined
  readonly status: number | null
  readonly errors: string
}

/** Runs the operation under strace, which writes every call of these kinds to a log, and those that open files. */
function trace(
  operation: Omit<Operation, 'repeat'>,
  calls: readonly string[],
  inject: readonly string[] = [],
) {
  const log = join(operation.root, '..', 'calls.log')
  const options = [
    '-f',
    '-qq',
    '-y',
    '-s',
    '200',
    '-o',
    log,
    '-e',
    `trace=${namesOf(['openat', 'close', ...calls])}`,
    ...inject,
  ]
  const run = spawnSync('strace', [...options, process.execPath, operation.program, ...operation.arguments], {
    encoding: 'utf8',
    // A zone without a file: reading one would come between our calls, now here, now there.
    env: { ...process.env, TZ: 'UTC0' },
  })
  return { ...run, lines: withRealPaths(readFileSync(log, 'utf8').split('\n')) }
}

/** A name in an open folder is passed as `/proc/self/fd/N/NAME`: it is replaced by the path of what was opened as N last. */
function withRealPaths(lines: readonly string[]): string[] {
  const opened = new Map<string, string>()
  return lines.map(line => {
    const real = line.replace(/"\/proc\/self\/fd\/(\d+)\//g, (name, descriptor) => {
      const folder = opened.get(descriptor)
      return folder === undefined ? name : `"${folder}/`
    })
    const [, closed] = / close\((\d+)</.exec(line) ?? []
    if (closed !== undefined) opened.delete(closed)
    const [, descriptor, path] = / openat(?:\(| resumed>).* = (\d+)<(.*)>$/.exec(line) ?? []
    if (descriptor !== undefined && path !== undefined) opened.set(descriptor, path)
    return real
  })
}

/** The calls as strace wants them; `?` passes over a name that this machine does not have. */
function namesOf(calls: readonly string[]): string {
  return calls.flatMap(call => [call, NEWER_NAMES[call] ?? []].flat().map(name => `?${name}`)).join(',')
}

function isCall(line: string, call: string): boolean {
  return line.includes(` ${call}(`) || line.includes(` ${NEWER_NAMES[call]}(`)
}

/** Which calls of one kind touch our files, counted from 1. Node itself makes dozens before and between. */
function ownCalls(operation: Operation, lines: readonly string[], call: string): number[] {
  const isOwn = (line: string) => isCall(line, call) && line.includes(operation.root)
  // strace counts for each thread apart; a line begins with the number of its thread.
  const thread = lines.find(isOwn)?.split(' ')[0]
  const calls = lines.filter(line => line.startsWith(`${thread} `) && isCall(line, call))
  return calls.flatMap((line, index) => (isOwn(line) ? [index + 1] : []))
}

function interrupt(operation: Operation, call: string, fault: string, nth: number): Interruption {
  // A filter in the kernel makes the run twice as quick, but loses injected signals.
  const filter = fault.startsWith('error') ? ['--seccomp-bpf'] : []
  const run = trace(operation, [call], [...filter, '-e', `inject=${namesOf([call])}:${fault}:when=${nth}`])
  // strace ends as its program ended, be it by a signal. Another thread may have made an Nth call as well.
  const isHit = (line: string) =>
    fault.startsWith('error') ? line.includes('(INJECTED)') : run.signal === 'SIGKILL' && isCall(line, call)
  const hits = run.lines.filter(isHit)
  const hit = hits.findLast(line => line.includes(operation.root)) ?? hits.at(-1)
  return { call: hit, status: run.status, errors: run.stderr }
}

const MOST_ATTEMPTS = 10

/** The runtime makes calls too, now and then one more or one less: after a fault that hit none of ours they are counted anew. */
function interruptOurs(
  operation: Operation,
  prepare: () => void,
  at: {
    readonly call: string
    readonly fault: string
    readonly own: readonly number[]
    readonly index: number
  },
): Interruption {
  let own = at.own
  for (let attempt = 1; ; attempt++) {
    prepare()
    const interruption = interrupt(operation, at.call, at.fault, own[at.index] ?? own.at(-1)!)
    if (attempt === MOST_ATTEMPTS || interruption.call?.includes(operation.root)) return interruption
    prepare()
    own = ownCalls(operation, trace(operation, Object.keys(CALLS)).lines, at.call)
  }
}

/** Breaks the operation off at each call in turn; `prepare` sets the scene, `inspect` says what is wrong after it. */
function interruptEverywhere(
  operation: Operation,
  prepare: () => void,
  inspect: (interruption: Interruption, fault: string) => string[],
): { wrong: string[]; kinds: string[] } {
  const wrong: string[] = []
  prepare()
  const { lines } = trace(operation, Object.keys(CALLS))
  const points = Object.keys(CALLS).map(call => ({ call, own: ownCalls(operation, lines, call) }))
  for (const { call, own } of points) {
    for (const fault of CALLS[call]!) {
      const met = IS_TORTURE ? own : own.filter((_, index) => isMet(call, fault, index))
      for (const [index, nth] of met.entries()) {
        const interruption = interruptOurs(operation, prepare, { call, fault, own, index })
        const problems = inspect(interruption, fault)
        if (!interruption.call?.includes(operation.root)) problems.push('the fault hit nothing of ours')
        // Only a killed process, or one that could not remove its file, leaves something to the next run.
        if (fault === 'signal=KILL' || call === 'unlink') operation.repeat()
        problems.push(...temporariesIn(operation.root).map(name => `left ${name}`))
        wrong.push(...problems.map(problem => `${call} ${fault} ${nth}: ${problem} [${interruption.call}]`))
      }
    }
  }
  return { wrong, kinds: points.filter(({ own }) => own.length > 0).map(({ call }) => call) }
}

/** In torture each fault at each call. Otherwise killed at each call that changes the disk, and for the rest the first of its kind. */
function isMet(call: string, fault: string, index: number): boolean {
  const changes = ['write', 'fsync', 'mkdir', 'rename', 'link', 'unlink']
  return index === 0 || (fault === 'signal=KILL' && changes.includes(call))
}

function temporariesIn(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.tmp'))
}

/** A fault that hits our own files must end in an error with a code. */
function codeProblems(operation: Operation, interruption: Interruption, fault: string): string[] {
  if (!fault.startsWith('error') || !interruption.call?.includes(operation.root)) return []
  // The sweep passes over what it cannot remove, and Node does not report a failed end of a listing.
  if (interruption.status === 0) return []
  const coded = interruption.status === 3 && /^(WRITE_FAILED|FILE_UNREADABLE) /.test(interruption.errors)
  return coded ? [] : [`status ${interruption.status} ${interruption.errors}`]
}

/** What the operation does to the disk, in order: the call and the file or folder below the root, temporaries as `T`. */
function orderOf(operation: Omit<Operation, 'repeat'>): string[] {
  const calls = ['write', 'fsync', 'mkdir', 'rename', 'link', 'unlink']
  const { lines, status } = trace(operation, calls)
  expect(status).toBe(0)
  return lines.flatMap(line => {
    const call = calls.find(name => isCall(line, name))
    const paths = [...line.matchAll(/["<]([^">]*)[">]/g)]
      .map(([, path]) => path!)
      .filter(path => path === operation.root || path.startsWith(`${operation.root}/`))
      .map(path => path.slice(operation.root.length + 1).replace(/\.rye-[^/]*\.tmp$/, 'T') || '.')
    return call && paths.length > 0 ? [[call, ...paths].join(' ')] : []
  })
}

describe('a write', () => {
  it('is on the disk before it has its name, and its name is before the call returns', () => {
    const root = join(signFile.folder, 'space')
    const keyPath = join(signFile.folder, 'key.pem')
    writeFileSync(keyPath, generateKey().privatePem)
    mkdirSync(root)
    writeFileSync(join(root, 'shared.md'), BODY)
    const program = signFile.program
    const order = orderOf({ root, program, arguments: [root, join(root, 'shared.md'), keyPath, '1'] })
    expect(order).toEqual(['write T', 'fsync T', 'rename T shared.md', 'fsync .'])
  })

  it('of a new file makes each folder durable before what is in it', () => {
    const root = join(createFile.folder, 'space')
    mkdirSync(root)
    const path = join(root, 'a/b/new.txt')
    const order = orderOf({ root, program: createFile.program, arguments: [root, path] })
    expect(order).toEqual([
      ...['mkdir a', 'fsync .', 'mkdir a/b', 'fsync a'],
      ...['write a/b/T', 'fsync a/b/T', 'link a/b/T a/b/new.txt', 'unlink a/b/T', 'fsync a/b'],
    ])
  })

  it('that removes a file is on the disk before the call returns', async () => {
    const { folder, program } = await buildProgram('remove-file')
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const root = join(folder, 'space')
    mkdirSync(join(root, 'a'), { recursive: true })
    writeFileSync(join(root, 'a/old.txt'), '')
    const order = orderOf({ root, program, arguments: [root, join(root, 'a/old.txt')] })
    expect(order).toEqual(['unlink a/old.txt', 'fsync a'])
  })
})

describe('a write that is interrupted', () => {
  it('while signing leaves the old file or the new one, verified', () => {
    const root = join(signFile.folder, 'space')
    const path = join(root, 'shared.md')
    const keyPath = join(signFile.folder, 'key.pem')
    const key = generateKey()
    writeFileSync(keyPath, key.privatePem)
    const item = { type: 'knowledge', id: 'notes/shared', extension: '.md', format: XML_MARKS } as const
    const old = sign({ ...item, bytes: Buffer.from(BODY) }, key, {
      timestamp: '2026-01-01T00:00:00Z',
      format: 'v2',
    })
    const keys = new Map([[key.fingerprint, describeKey(key.publicPem, 'local')]])
    const repeat = () => atomicWrite(path, readFileSync(path), { root })
    const operation = { root, program: signFile.program, arguments: [root, path, keyPath, '1'], repeat }

    const { wrong, kinds } = interruptEverywhere(
      operation,
      () => {
        rmSync(root, { recursive: true, force: true })
        mkdirSync(root)
        writeFileSync(path, old.bytes)
      },
      (interruption, fault) => {
        const bytes = readFileSync(path)
        const context = contextWith({ keys, now: new Date() })
        const verdict = verify({ ...item, bytes }, context)
        const problems = codeProblems(operation, interruption, fault)
        if (verdict.status !== 'verified') problems.push(`the file is ${verdict.status}`)
        if (interruption.status === 0 && bytes.equals(old.bytes))
          problems.push('done, but the file is the old one')
        return problems
      },
    )
    expect(wrong).toEqual([])
    expect(kinds).toEqual(['openat', 'write', 'fchmod', 'fsync', 'close', 'rename', 'getdents64'])
  })

  it('while creating leaves no file or the whole one', () => {
    const root = join(createFile.folder, 'space')
    const path = join(root, 'a/b/new.txt')
    const repeat = () => {
      try {
        atomicWrite(path, 'created\n', { root, expect: 'absent' })
      } catch (thrown) {
        if (!(thrown instanceof AppError)) throw thrown
      }
    }
    const operation = { root, program: createFile.program, arguments: [root, path], repeat }

    const { wrong, kinds } = interruptEverywhere(
      operation,
      () => {
        rmSync(root, { recursive: true, force: true })
        mkdirSync(root)
      },
      (interruption, fault) => {
        const problems = codeProblems(operation, interruption, fault)
        if (existsSync(path) && readFileSync(path, 'utf8') !== 'created\n')
          problems.push('the file is not whole')
        if (interruption.status === 0 && !existsSync(path)) problems.push('done, but there is no file')
        return problems
      },
    )
    expect(wrong).toEqual([])
    expect(kinds).toEqual([
      'openat',
      'write',
      'fchmod',
      'fsync',
      'close',
      'mkdir',
      'link',
      'unlink',
      'getdents64',
    ])
  })
})
