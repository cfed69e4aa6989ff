// One warm worker: a child that answers calls, one at a time, over descriptors 3 and 4. If it exits, floods,
// breaks the protocol or is ended, that is the answer to its call, and it is never used again. Each call has
// an id that its answer repeats, so that leftovers of an earlier call cannot answer a later one.
import { randomUUID } from 'node:crypto'
import { isRecord, type JsonValue } from '../../base/index.ts'
import type { RefusedHost } from '../network/sandbox-network.ts'
import { BoundedOutput, type CapturedText, STDERR_END_BYTES } from '../process/bounded-output.ts'
import { type Bounds, watchBounds } from '../process/deadline.ts'
import { drainOutput } from '../process/drain-output.ts'
import { LineSplitter } from '../process/line-splitter.ts'
import type { ChildHandle, Exit } from '../process/spawn.ts'

export interface WorkerCall extends Bounds {
  /** A JSON object, without the source. */
  readonly request: Readonly<Record<string, unknown>>
  readonly digest: string
  /** Sent once for each digest. */
  readonly source: () => { readonly source: string; readonly format: string }
  readonly outputBytes: number
  readonly onStdoutLine?: ((line: string) => void) | undefined
  readonly onStderrLine?: ((line: string) => void) | undefined
  /** Called with the process ids of the worker before the call is sent. */
  readonly onStarted?: ((pids: readonly number[]) => void) | undefined
}

export interface WorkerFault {
  readonly kind: 'refused' | 'raised' | 'exit' | 'too-large'
  readonly message: string
  readonly traceback?: string
}

export type WorkerAnswer = CallEnd & { readonly stdout: CapturedText; readonly stderr: CapturedText }

type CallEnd =
  | { readonly ended: 'answer'; readonly result: JsonValue }
  | { readonly ended: 'fault'; readonly fault: WorkerFault }
  | { readonly ended: 'timeout' | 'cancelled' | 'flood' | 'invalid-answer' }
  | { readonly ended: 'exit'; readonly exit: Exit }

interface Pending {
  readonly id: string
  readonly stdout: BoundedOutput
  readonly stderr: BoundedOutput
  readonly lines: { readonly [stream in 'stdout' | 'stderr']: LineSplitter | undefined }
  readonly settle: (end: CallEnd) => void
}

const ANSWER_BYTES = 16 * 1024 * 1024
const LINE_BYTES = 65_536
const QUIET_MS = 20

export class Worker {
  /** Hosts that it was refused since the last call of this function. */
  readonly takeRefused: () => readonly RefusedHost[]
  readonly #child: ChildHandle
  readonly #sent = new Set<string>()
  #pending: Pending | undefined
  #usable = true

  constructor(child: ChildHandle, takeRefused: () => readonly RefusedHost[]) {
    this.#child = child
    this.takeRefused = takeRefused
    const answers = new LineSplitter(line => this.#answer(line), ANSWER_BYTES)
    child.pipes[1]!.on('data', chunk => answers.push(chunk))
    child.stdout.on('data', chunk => this.#collect('stdout', chunk))
    child.stderr.on('data', chunk => this.#collect('stderr', chunk))
    void child.exited.then(async exit => {
      this.#usable = false
      await drainOutput([child.pipes[1]!, child.stdout, child.stderr], QUIET_MS)
      this.#settle({ ended: 'exit', exit })
    })
  }

  /** False once the worker has failed, or once a tool has left something behind in it. */
  get isUsable(): boolean {
    return this.#usable
  }

  end(): Promise<Exit> {
    this.#usable = false
    return this.#child.end()
  }

  async call(call: WorkerCall): Promise<WorkerAnswer> {
    const stdout = new BoundedOutput(call.outputBytes)
    const stderr = new BoundedOutput(call.outputBytes, STDERR_END_BYTES)
    const lines = {
      stdout: call.onStdoutLine && new LineSplitter(call.onStdoutLine, LINE_BYTES),
      stderr: call.onStderrLine && new LineSplitter(call.onStderrLine, LINE_BYTES),
    }
    const end = await new Promise<CallEnd>(resolve => {
      const stopWatching = watchBounds(call, ended => this.#settle({ ended }))
      const settle = (end: CallEnd) => {
        stopWatching()
        resolve(end)
      }
      const id = randomUUID()
      this.#pending = { id, stdout, stderr, lines, settle }
      call.onStarted?.(this.#child.members())
      this.#send(id, call)
    })
    lines.stdout?.end()
    lines.stderr?.end()
    if (end.ended !== 'answer' && end.ended !== 'fault') await this.end()
    else if (this.#child.descendants().length > 0) this.#usable = false
    return { ...end, stdout: stdout.read(), stderr: stderr.read() }
  }

  #send(id: string, call: WorkerCall): void {
    const first = !this.#sent.has(call.digest)
    this.#sent.add(call.digest)
    const message = {
      ...call.request,
      id,
      digest: call.digest,
      limit: call.outputBytes,
      ...(first ? call.source() : {}),
    }
    this.#child.pipes[0]!.write(`${JSON.stringify(message)}\n`)
  }

  #collect(stream: 'stdout' | 'stderr', chunk: Buffer): void {
    const pending = this.#pending
    if (!pending) return
    pending[stream].push(chunk)
    pending.lines[stream]?.push(chunk)
    if (pending[stream].isFlood) this.#settle({ ended: 'flood' })
  }

  #answer(line: string): void {
    const answer = readAnswer(line)
    if (answer === undefined || answer.id !== this.#pending?.id) {
      this.#usable = false
      this.#settle({ ended: 'invalid-answer' })
      return
    }
    if (answer.dirty) this.#usable = false
    this.#settle(answer.end)
  }

  #settle(end: CallEnd): void {
    const pending = this.#pending
    this.#pending = undefined
    pending?.settle(end)
  }
}

function readAnswer(line: string): { id: unknown; dirty: boolean; end: CallEnd } | undefined {
  let parsed: unknown
  try {
    parsed = JSON.parse(line)
  } catch {
    return undefined
  }
  if (!isRecord(parsed)) return undefined
  const { id } = parsed
  const dirty = parsed.dirty === true
  if (parsed.ok === true && 'result' in parsed) {
    // Parsed JSON is a JSON value.
    return { id, dirty, end: { ended: 'answer', result: parsed.result as JsonValue } }
  }
  const { error } = parsed
  if (!isRecord(error) || typeof error.message !== 'string') return undefined
  const traceback = typeof error.traceback === 'string' ? { traceback: error.traceback } : {}
  const kind =
    error.kind === 'refused' || error.kind === 'exit' || error.kind === 'too-large' ? error.kind : 'raised'
  return { id, dirty, end: { ended: 'fault', fault: { kind, message: error.message, ...traceback } } }
}
