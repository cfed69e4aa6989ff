// Runs a plan: takes the lock of an exclusive tool, waits for its turn, calls the primitive, and removes
// secrets from everything that it returns or reports. What a tool does wrong is a value, not an exception.
import { AppError, type JsonObject } from '../base/index.ts'
import { createScrubber, type Plan, type Scrubber } from '../plan/index.ts'
import { runOwnAction } from './primitives/action.ts'
import { callFunction } from './primitives/function.ts'
import { sendHttp } from './primitives/http.ts'
import { callMcpTool } from './primitives/mcp.ts'
import { withOriginalPaths } from './primitives/original-paths.ts'
import type { ActionCaller, PrimitiveCall, PrimitiveOutcome } from './primitives/primitive.ts'
import { runSubprocess } from './primitives/subprocess.ts'
import { runExclusively } from './run-exclusively.ts'
import type { RunOutcome } from './run-outcome.ts'
import type { Runner } from './runner.ts'

export interface RunOptions {
  readonly signal?: AbortSignal
  /** Called with each `{"progress": ...}` line of the tool. */
  readonly onProgress?: (progress: JsonObject) => void
  /** Called with every other line that the tool writes, while it runs. */
  readonly onOutput?: ((line: string) => void) | undefined
  /** How a tool of the package runs an action. */
  readonly callAction?: ActionCaller | undefined
}

/** Never throws for what a tool does; throws only if our own code is wrong. */
export async function runPlan(plan: Plan, runner: Runner, options: RunOptions = {}): Promise<RunOutcome> {
  const { parts } = runner
  const { signal, onProgress, onOutput, callAction } = options
  const scrub = createScrubber(plan.secrets)
  // A secret of several lines arrives line by line.
  const scrubLine = createScrubber(plan.secrets.flatMap(secret => [secret, ...secret.split('\n')]))
  const call = {
    plan,
    parts,
    signal,
    callAction,
    onProgress: onProgress && ((progress: JsonObject) => onProgress(scrub(progress))),
    onOutput: onOutput && ((line: string) => onOutput(scrubLine(line))),
  }
  let started = performance.now()
  let outcome: PrimitiveOutcome
  try {
    // The lock comes before the turn, so calls that wait for a tool running elsewhere take no turn from
    // others.
    outcome = await runExclusively({ plan, states: parts.states, signal }, onStarted =>
      parts.queue.run(
        plan.projectPath,
        () => {
          started = performance.now()
          return callPrimitive({ ...call, onStarted })
        },
        signal,
      ),
    )
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    outcome = { status: 'error', error: thrown, data: null, isolation: 'none' }
  }
  const durationMs = Math.round((performance.now() - started) * 1000) / 1000
  const { invocation } = plan
  const origin = 'origin' in invocation ? invocation.origin : undefined
  return { ...scrubOutcome(withOriginalPaths(outcome, origin), scrub), durationMs }
}

function callPrimitive(call: Omit<PrimitiveCall<never>, 'invocation'>): Promise<PrimitiveOutcome> {
  const { invocation } = call.plan
  switch (invocation.kind) {
    case 'process':
      return runSubprocess({ ...call, invocation })
    case 'function':
      return callFunction({ ...call, invocation })
    case 'http':
      return sendHttp({ ...call, invocation })
    case 'mcp':
      return callMcpTool({ ...call, invocation })
    case 'action':
      return runOwnAction({ ...call, invocation })
  }
}

function scrubOutcome(given: PrimitiveOutcome, scrub: Scrubber): PrimitiveOutcome {
  // A tool can put a secret into the name of a host.
  const refused = given.refused?.map(({ host, reason }) => ({ host: scrub(host), reason: scrub(reason) }))
  const outcome = { ...given, ...(refused && { refused }) }
  const data = scrub(outcome.data)
  if (outcome.status === 'success') {
    const { printed } = outcome
    if (printed === undefined) return { ...outcome, data }
    return { ...outcome, data, printed: { stdout: scrub(printed.stdout), stderr: scrub(printed.stderr) } }
  }
  const { code, message, hint, details } = outcome.error
  const error = new AppError(code, scrub(message), {
    ...(hint === undefined ? {} : { hint: scrub(hint) }),
    // Details of this folder are texts.
    details: scrub(details as JsonObject),
  })
  return { ...outcome, error, data }
}
