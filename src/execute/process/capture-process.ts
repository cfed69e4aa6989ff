// Runs one process to its end: standard input given, output bounded, time bounded, cancellable.
// Whatever the child does, there is an answer: reading stops shortly after the child has ended, even if a
// grandchild that escaped still holds the pipe.
import { BoundedOutput, type CapturedText, STDERR_END_BYTES } from './bounded-output.ts'
import { type Bounds, watchBounds } from './deadline.ts'
import { drainOutput } from './drain-output.ts'
import { LineSplitter } from './line-splitter.ts'
import type { Exit, ProcessTable, StartRequest } from './spawn.ts'

export interface CaptureOptions extends Bounds {
  readonly stdin: string | Uint8Array
  /** What the child reads from descriptor 3, if its request has an extra pipe. */
  readonly extraInput?: string | undefined
  readonly outputBytes: number
  readonly onStdoutLine?: ((line: string) => void) | undefined
  readonly onStderrLine?: ((line: string) => void) | undefined
}

export interface ProcessOutput {
  readonly ended: 'exit' | 'timeout' | 'cancelled' | 'flood'
  readonly exitCode: number | null
  readonly signal: string | null
  readonly exceeded?: string | undefined
  readonly stdout: CapturedText
  readonly stderr: CapturedText
}

const QUIET_MS = 150
const LINE_BYTES = 65_536

export async function captureProcess(
  table: ProcessTable,
  request: StartRequest,
  options: CaptureOptions,
): Promise<ProcessOutput> {
  const child = await table.start(request)
  const stdout = new BoundedOutput(options.outputBytes)
  const stderr = new BoundedOutput(options.outputBytes, STDERR_END_BYTES)
  const outputLines = options.onStdoutLine && new LineSplitter(options.onStdoutLine, LINE_BYTES)
  const errorLines = options.onStderrLine && new LineSplitter(options.onStderrLine, LINE_BYTES)
  let ended: ProcessOutput['ended'] = 'exit'
  let abandon: (exit: Exit) => void = () => {}
  const abandoned = new Promise<Exit>(resolve => {
    abandon = resolve
  })
  const end = (reason: ProcessOutput['ended']) => {
    if (ended !== 'exit') return
    ended = reason
    void child.end().then(abandon)
  }

  const stopWatching = watchBounds(options, end)
  child.stdout.on('data', chunk => {
    stdout.push(chunk)
    outputLines?.push(chunk)
    if (stdout.isFlood) end('flood')
  })
  child.stderr.on('data', chunk => {
    stderr.push(chunk)
    errorLines?.push(chunk)
    if (stderr.isFlood) end('flood')
  })
  child.stdin.end(options.stdin)
  if (options.extraInput !== undefined) child.pipes[0]!.end(options.extraInput)

  const exit = await Promise.race([child.exited, abandoned])
  stopWatching()
  await drainOutput([child.stdout, child.stderr], QUIET_MS)
  outputLines?.end()
  errorLines?.end()
  for (const stream of [child.stdin, child.stdout, child.stderr, ...child.pipes]) stream.destroy()
  const { code: exitCode, signal, exceeded } = exit
  return { ended, exitCode, signal, exceeded, stdout: stdout.read(), stderr: stderr.read() }
}
