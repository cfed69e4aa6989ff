// Runs a shell command in the project. The command leads a process group of its own: what it leaves in it ends with it, and a worker
// in which anything else is left is not used again.
import { isUtf8 } from 'node:buffer'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, realpathSync, rmSync, statSync } from 'node:fs'
import { Socket } from 'node:net'
import { constants as system, tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import type { Readable } from 'node:stream'

export const __version__ = '1.1.0'
export const __tool_type__ = 'javascript'
export const __executor_id__ = 'rye/core/runtimes/node/node'
export const __category__ = 'rye'
export const __tool_description__ =
  'Run a shell command (bash) in the project and answer with its output and exit status'

export const tags = [
  'shell',
  'command',
  'bash',
  'terminal',
  'run',
  'process',
  'script',
  'cli',
  'git',
  'test',
  'build',
]

// Beyond the longest timeout that a caller can ask for, so that the answer still says what was printed.
export const CONFIG = { timeout: 3630, permissions: { network: ['*'] } }

export const CONFIG_SCHEMA = {
  type: 'object',
  properties: {
    command: { type: 'string', minLength: 1, maxLength: 100000, description: 'Shell text, as for `bash -c`' },
    timeout: {
      type: 'number',
      exclusiveMinimum: 0,
      maximum: 3600,
      default: 120,
      description: 'Seconds until the command is ended',
    },
    working_dir: {
      type: 'string',
      default: '.',
      description: 'Folder to run in, relative to the project or absolute inside it',
    },
  },
  required: ['command'],
  additionalProperties: false,
}

// Of each stream the first and the last part are kept, less if the answer would be too long. An endless one is stopped.
const KEPT_BYTES = 200_000
const FEWER_BYTES = 30_000
const ANSWER_LENGTH = 900_000
const FLOOD_BYTES = 200_000_000
/** How long to wait for the rest of the output when the command has ended; what left its group may hold a stream open. */
const REST_MS = 1000
const NOT_TEXT =
  'standard output is not valid UTF-8: invalid bytes are shown as U+FFFD; write binary data to a file'

interface Parameters {
  readonly command: string
  readonly timeout?: number
  readonly working_dir?: string
}

/** Answers with `stdout`, `stderr` and `exit_code`; a status other than 0 is a failure with the same evidence. */
export async function execute(params: Parameters, projectPath: string): Promise<object> {
  const { command, timeout = 120, working_dir = '.' } = params
  const folder = findFolder(projectPath, working_dir)
  if (folder === undefined) return failure(`\`${working_dir}\` is not a folder inside the project`)
  let started: Started | undefined
  try {
    started = (await start('bash', command, folder)) ?? (await start('sh', command, folder))
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown)
    return failure(`the command could not be started: ${reason.slice(0, 300)}`)
  }
  if (started === undefined)
    return failure('expected bash or sh on the PATH, found neither: install one of them')
  const { child, streams } = started
  const timedOut = await waitFor(child, timeout)
  await finish(streams)
  const [stdout, stderr] = streams
  // Escapes make JSON up to six times as long as the output.
  if (JSON.stringify([stdout.text(), stderr.text()]).length > ANSWER_LENGTH)
    for (const stream of streams) stream.shorten(FEWER_BYTES)
  const code = exitCodeOf(child)
  const problem = describeProblem(code, streams, timedOut ? timeout : undefined)
  return {
    success: problem === undefined,
    stdout: stdout.text(),
    stderr: stderr.text(),
    exit_code: timedOut ? null : code,
    ...((stdout.leftOut > 0 || stderr.leftOut > 0) && { truncated: true }),
    ...(stdout.isLossy && { note: NOT_TEXT }),
    ...(problem !== undefined && { error: problem }),
  }
}

function failure(error: string): object {
  return { success: false, error }
}

/** What went wrong, in one line. */
function describeProblem(code: number, streams: Streams, timeout: number | undefined): string | undefined {
  if (streams.some(stream => stream.isFlood))
    return `the command wrote more than ${FLOOD_BYTES} bytes and was stopped`
  if (timeout !== undefined) return `the command took longer than ${timeout} s and was stopped`
  if (code === 0) return undefined
  const last = streams[1].text().trimEnd().split('\n').at(-1)!.slice(0, 300)
  const cause = code > 0 ? `exit status ${code}` : `signal ${-code}`
  return `the command ended with ${cause}${last === '' ? '' : ': '}${last}`
}

/** The real path of a folder inside the project. */
function findFolder(projectPath: string, name: string): string | undefined {
  try {
    const root = realpathSync(projectPath)
    const real = realpathSync(name.startsWith('/') ? name : join(root, name))
    const isInside = real === root || real.startsWith(root.endsWith(sep) ? root : root + sep)
    return isInside && statSync(real).isDirectory() ? real : undefined
  } catch {
    return undefined
  }
}

type Streams = readonly [Stream, Stream]

interface Started {
  readonly child: ChildProcess
  readonly streams: Streams
}

/** Undefined without such a shell on the path. */
async function start(shell: string, command: string, cwd: string): Promise<Started | undefined> {
  const pipes = openPipes()
  let child: ChildProcess
  try {
    const outputs = pipes?.map(pipe => pipe.writer) ?? (['pipe', 'pipe'] as const)
    child = spawn(shell, ['-c', command], { cwd, stdio: ['ignore', ...outputs], detached: true })
    await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject))
  } catch (thrown) {
    for (const { reader } of pipes ?? []) reader.destroy()
    const { code } = thrown as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'EACCES') return undefined
    throw thrown
  } finally {
    for (const { writer } of pipes ?? []) closeSync(writer)
  }
  const end = () => endGroup(child)
  const [stdout, stderr] = pipes?.map(pipe => pipe.reader) ?? [child.stdout!, child.stderr!]
  return { child, streams: [new Stream(stdout!, end), new Stream(stderr!, end)] }
}

interface NamedPipe {
  readonly writer: number
  readonly reader: Readable
}

/**
 * Two pipes as a shell makes them. Those of Node are sockets, which no program can open as `/dev/stderr`; they have to do where
 * pipes cannot be made.
 */
function openPipes(): NamedPipe[] | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'rye-bash-'))
  try {
    const paths = ['out', 'err'].map(name => join(folder, name))
    execFileSync('mkfifo', paths, { stdio: 'ignore' })
    return paths.map(path => {
      // First the reader: without one, opening the writer waits.
      const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
      return { reader: new Socket({ fd, readable: true, writable: false }), writer: openSync(path, 'w') }
    })
  } catch {
    return undefined
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Settles when the command has ended, and its group with it; true when its time was over. */
async function waitFor(child: ChildProcess, seconds: number): Promise<boolean> {
  let timedOut = false
  const timer = setTimeout(() => {
    timedOut = true
    endGroup(child)
  }, 1000 * seconds)
  // Without a sandbox, nobody else knows the group.
  const endWithWorker = () => {
    endGroup(child)
    process.exit(143)
  }
  process.once('SIGTERM', endWithWorker)
  if (child.exitCode === null && child.signalCode === null)
    await new Promise(resolve => child.once('exit', resolve))
  clearTimeout(timer)
  process.off('SIGTERM', endWithWorker)
  endGroup(child)
  return timedOut
}

function endGroup({ pid }: ChildProcess): void {
  try {
    process.kill(-pid!, 'SIGKILL')
  } catch {
    // Nothing of it is left, or what is left belongs to another user.
  }
}

/** As a shell's caller sees it: the status, or the signal as a negative number. */
function exitCodeOf({ exitCode, signalCode }: ChildProcess): number {
  return signalCode === null ? exitCode! : -system.signals[signalCode]
}

async function finish(streams: Streams): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise(resolve => {
    timer = setTimeout(resolve, REST_MS)
  })
  await Promise.race([Promise.all(streams.map(stream => stream.ended)), late])
  clearTimeout(timer)
  for (const stream of streams) stream.close()
}

/** Reads one stream to its end, and keeps its first and its last part. */
class Stream {
  readonly ended: Promise<unknown>
  readonly #source: Readable
  #first = Buffer.alloc(0)
  #last: Buffer[] = []
  #lastBytes = 0
  #total = 0

  constructor(source: Readable, onFlood: () => void) {
    this.#source = source
    this.ended = new Promise(resolve => source.once('close', resolve))
    source.on('error', () => {})
    source.on('data', (chunk: Buffer) => {
      const before = this.isFlood
      this.#add(chunk)
      if (this.isFlood && !before) onFlood()
    })
  }

  get isFlood(): boolean {
    return this.#total > FLOOD_BYTES
  }

  get leftOut(): number {
    return this.#total - this.#first.length - Math.min(this.#lastBytes, KEPT_BYTES)
  }

  /** Some bytes that are kept are no text. A cut may fall inside of a character. */
  get isLossy(): boolean {
    const [first, end] = [this.#first, this.#end()]
    if (this.leftOut === 0) return !isUtf8(Buffer.concat([first, end]))
    const edges = [0, 1, 2, 3]
    return !(
      edges.some(cut => isUtf8(first.subarray(0, first.length - cut))) &&
      edges.some(cut => isUtf8(end.subarray(cut)))
    )
  }

  close(): void {
    this.#source.destroy()
  }

  shorten(most: number): void {
    const whole = Buffer.concat([this.#first, this.#end()])
    this.#first = whole.subarray(0, most)
    this.#last = [whole.subarray(most).subarray(-most)]
    this.#lastBytes = this.#last[0]!.length
  }

  text(): string {
    const mark = this.leftOut > 0 ? `\n[... ${this.leftOut} bytes left out ...]\n` : ''
    return Buffer.concat([this.#first, Buffer.from(mark), this.#end()]).toString('utf8')
  }

  #add(chunk: Buffer): void {
    this.#total += chunk.length
    const free = KEPT_BYTES - this.#first.length
    if (free > 0) this.#first = Buffer.concat([this.#first, chunk.subarray(0, free)])
    if (chunk.length <= free) return
    this.#last.push(chunk.subarray(free))
    this.#lastBytes += chunk.length - free
    while (this.#lastBytes - this.#last[0]!.length >= KEPT_BYTES)
      this.#lastBytes -= this.#last.shift()!.length
  }

  #end(): Buffer {
    return Buffer.concat(this.#last).subarray(-KEPT_BYTES)
  }
}
