// Runs a plan: takes the lock of an exclusive tool, takes its turn, hands the invocation to its primitive and reads
// the result. Failures of the tool are values; every value that leaves has its secrets taken out.
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { AppError, type JsonObject, type JsonValue, sha256Hex, systemErrorCode } from '../base/index.ts'
import { acquireLock, makeStateFolder } from '../files/index.ts'
import {
  createScrubber,
  type FunctionInvocation,
  type Plan,
  type ProcessInvocation,
  type Scrubber,
} from '../plan/index.ts'
import { callHttp } from './primitives/http/http-client.ts'
import { type Outcome, readProcessOutput, readProgress, readWorkerAnswer } from './primitives/result.ts'
import { requireCommand } from './process/find-interpreter.ts'
import { captureProcess } from './process/subprocess.ts'
import { writePrivateCopy } from './process/write-private-copy.ts'
import type { Runner, RunnerParts } from './runner.ts'
import type { IsolationName } from './sandbox/isolation.ts'
import { nodeFlags } from './workers/node-source.ts'

export interface RunOptions {
  readonly signal?: AbortSignal
  /** Called with each `{"progress": ...}` line of the tool. */
  readonly onProgress?: (progress: JsonObject) => void
}

export type RunOutcome = (
  | { readonly status: 'success'; readonly data: JsonValue }
  /** `data` is the evidence: what the tool wrote, its exit status, its traceback. */
  | { readonly status: 'error'; readonly error: AppError; readonly data: JsonValue }
) & {
  /** `none`: nothing was started on this machine. */
  readonly isolation: IsolationName | 'none'
  readonly durationMs: number
}

/** Called with the processes of the tool before it begins, where that can be. */
type OnStarted = (pids: readonly number[]) => void

interface DispatchOptions extends RunOptions {
  readonly onStarted?: OnStarted | undefined
}

type Isolated = Outcome & { readonly isolation: IsolationName | 'none' }

const LOCK_SLACK_MS = 10_000

/** Never throws for what a tool does; throws only where our own code is wrong. */
export async function runPlan(plan: Plan, runner: Runner, options: RunOptions = {}): Promise<RunOutcome> {
  const { parts } = runner
  const scrub = createScrubber(plan.secrets)
  let started = performance.now()
  let outcome: Isolated
  try {
    outcome = await runLocked(plan, options, onStarted => {
      const work = () => {
        started = performance.now()
        return dispatch(plan, parts, { ...options, onStarted })
      }
      return parts.queue.run(plan.projectPath, work, options.signal)
    })
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    outcome = { status: 'error', error: thrown, data: null, isolation: 'none' }
  }
  const durationMs = Math.round((performance.now() - started) * 1000) / 1000
  if (outcome.status === 'success') return { ...outcome, data: scrub(outcome.data), durationMs }
  return { ...outcome, error: scrubError(outcome.error, scrub), data: scrub(outcome.data), durationMs }
}

/**
 * The lock comes before the turn: calls that wait for a tool which runs elsewhere take no turn from others. The lock is
 * bound to the processes of the tool, so that it outlasts a killed server for as long as they do.
 */
async function runLocked(
  plan: Plan,
  options: RunOptions,
  run: (onStarted?: OnStarted) => Promise<Isolated>,
): Promise<Isolated> {
  if (plan.concurrency !== 'exclusive') return run()
  const lock = await acquireLock(lockPath(plan), {
    subject: `\`${plan.itemId}\`, which runs once at a time,`,
    waitMs: plan.timeoutMs,
    holdMs: plan.timeoutMs + LOCK_SLACK_MS,
    signal: options.signal,
  })
  try {
    return await run(pids => lock.bind(pids))
  } finally {
    lock.release()
  }
}

function lockPath(plan: Plan): string {
  const name = `${sha256Hex(plan.itemId).slice(0, 16)}.lock`
  try {
    return join(makeStateFolder(plan.projectPath), 'locks', name)
  } catch (thrown) {
    const reason = systemErrorCode(thrown)
    if (reason === undefined) throw thrown
    throw new AppError('WRITE_FAILED', `cannot keep the lock of \`${plan.itemId}\`: ${reason}`, {
      cause: thrown,
    })
  }
}

async function dispatch(plan: Plan, parts: RunnerParts, options: DispatchOptions): Promise<Isolated> {
  const { invocation } = plan
  const bounds = { timeoutMs: plan.timeoutMs, signal: options.signal }
  const { outputBytes, backoffMs, resolveHost } = parts.options
  switch (invocation.kind) {
    case 'process':
      return runProcess(plan, invocation, parts, options)
    case 'function':
      return callFunction(plan, invocation, parts, options)
    case 'http':
      return {
        ...(await callHttp(invocation, { ...bounds, outputBytes, backoffMs, resolveHost })),
        isolation: 'none',
      }
    case 'mcp': {
      const tool = { name: invocation.toolName, parameters: plan.parameters }
      const outcome = await parts.mcp.call(invocation.server, tool, plan, {
        ...bounds,
        onProgress: options.onProgress,
      })
      return { ...outcome, isolation: await parts.mcp.isolationOf(invocation.server) }
    }
  }
}

async function runProcess(
  plan: Plan,
  invocation: ProcessInvocation,
  parts: RunnerParts,
  options: DispatchOptions,
): Promise<Isolated> {
  const forNode = invocation.host === 'node'
  const privateCopy =
    invocation.privateCopy && forNode
      ? await parts.nodeSources.strip(invocation.privateCopy)
      : invocation.privateCopy
  if (privateCopy) writePrivateCopy(privateCopy)
  const flags = forNode ? nodeFlags(invocation, anchorUrl(plan)) : []
  const enclosure = await parts.isolation.enclose({
    command: requireCommand(invocation.command, plan.environment),
    args: [...flags, ...invocation.args],
    cwd: invocation.cwd,
    env: plan.environment,
    projectPath: plan.projectPath,
    network: plan.permissions.network,
    writable: plan.permissions.write,
    readable: privateCopy ? [privateCopy.directory] : [],
    onStarted: options.onStarted,
  })
  try {
    const output = await captureProcess(parts.table, enclosure.request, {
      stdin: invocation.stdin,
      timeoutMs: plan.timeoutMs,
      outputBytes: parts.options.outputBytes,
      signal: options.signal,
      onStderrLine: progressReader(plan, options),
    })
    return { ...readProcessOutput(output, plan.timeoutMs), isolation: enclosure.isolation }
  } finally {
    enclosure.release()
  }
}

async function callFunction(
  plan: Plan,
  invocation: FunctionInvocation,
  parts: RunnerParts,
  options: DispatchOptions,
): Promise<Isolated> {
  const forNode = invocation.host === 'node'
  const privateCopy =
    invocation.privateCopy && forNode
      ? await parts.nodeSources.strip(invocation.privateCopy)
      : invocation.privateCopy
  if (privateCopy) writePrivateCopy(privateCopy)
  const { text, format } = forNode
    ? await parts.nodeSources.read(invocation.digest, invocation.source, invocation.filename)
    : { text: invocation.source, format: 'python' }
  const answer = await parts.workers.call(
    {
      host: invocation.host,
      command: requireCommand(invocation.command, plan.environment),
      env: plan.environment,
      projectPath: plan.projectPath,
      network: plan.permissions.network,
      writable: plan.permissions.write,
      readable: privateCopy ? [dirname(privateCopy.directory)] : [],
    },
    {
      request: {
        filename: invocation.filename,
        anchor: plan.elements[0]?.path ?? invocation.filename,
        siblings: privateCopy !== null,
        function: invocation.functionName,
        call: invocation.call,
        params: plan.parameters,
        project_path: plan.projectPath,
        cwd: invocation.cwd,
      },
      digest: invocation.digest,
      source: () => ({ source: Buffer.from(text).toString('base64'), format }),
      timeoutMs: plan.timeoutMs,
      signal: options.signal,
      outputBytes: parts.options.outputBytes,
      onStderrLine: progressReader(plan, options),
      onStarted: options.onStarted,
    },
  )
  return { ...readWorkerAnswer(answer, plan.timeoutMs), isolation: answer.isolation }
}

function progressReader(plan: Plan, { onProgress }: RunOptions): ((line: string) => void) | undefined {
  if (!onProgress) return undefined
  const scrub = createScrubber(plan.secrets)
  return line => {
    const progress = readProgress(line)
    if (progress) onProgress(scrub(progress))
  }
}

function anchorUrl(plan: Plan): string {
  return pathToFileURL(plan.elements[0]?.path ?? join(plan.projectPath, 'tool.js')).href
}

function scrubError(error: AppError, scrub: Scrubber): AppError {
  const { code, hint, details } = error
  return new AppError(code, scrub(error.message), {
    ...(hint === undefined ? {} : { hint }),
    // Details of this folder are texts.
    details: scrub(details as JsonObject),
  })
}
