// Interprets the raw output of a run. Pure. JSON on standard output is the answer; anything else is passed on
// as it is. `success: false` and a non-zero exit status are failures, and a failure always carries its
// evidence.
import {
  AppError,
  cutText,
  type ErrorCode,
  escapeHidden,
  isRecord,
  isTextDeeperThan,
  type JsonObject,
  type JsonValue,
} from '../../base/index.ts'
import type { ProcessOutput } from '../process/capture-process.ts'
import type { Exit } from '../process/spawn.ts'
import type { WorkerAnswer } from '../workers/worker.ts'
import { lastLines } from './last-lines.ts'
import type { Printed } from './outcome.ts'

export type Outcome = (
  | { readonly status: 'success'; readonly data: JsonValue; readonly printed?: Printed }
  | { readonly status: 'error'; readonly error: AppError; readonly data: JsonValue }
) & {
  /** A remark about `data`, kept apart because the data is the tool's own. */
  readonly note?: string
}

const MESSAGE_LENGTH = 500
const JSON_DEPTH = 200
const LARGE_RESULT = 'write large results to a file and answer with its path'
const NOT_TEXT =
  'standard output is not valid UTF-8: invalid bytes are shown as U+FFFD; write binary data to a file instead'

export function readProcessOutput(output: ProcessOutput, timeoutMs: number): Outcome {
  const raw: JsonObject = {
    stdout: output.stdout.text,
    stderr: output.stderr.text,
    exit_code: output.exitCode,
  }
  if (output.signal !== null) raw.signal = output.signal
  if (output.stdout.truncated || output.stderr.truncated) raw.truncated = true
  if (output.stdout.isLossy) raw.note = NOT_TEXT
  if (output.ended !== 'exit') return endingFailure(output.ended, timeoutMs, raw)
  if (output.exceeded !== undefined) return excessFailure(output.exceeded, raw)
  const parsed = output.stdout.truncated ? undefined : parseJson(output.stdout.text)
  if (output.exitCode === 0) {
    if (parsed === undefined) return { status: 'success', data: raw }
    const answer = withPrinted(readAnswer(parsed), { stdout: '', stderr: output.stderr.text })
    return output.stdout.isLossy ? { ...answer, note: NOT_TEXT } : answer
  }
  const said = isRecord(parsed) ? statedError(parsed) : undefined
  const cause = describeExit({ code: output.exitCode, signal: output.signal })
  const detail = said ?? lastLines(output.stderr.text)
  return failure('EXECUTION_FAILED', `the tool ended with ${cause}${detail ? `: ${detail}` : ''}`, {
    ...raw,
    ...(parsed === undefined ? {} : { result: parsed }),
  })
}

export function readWorkerAnswer(answer: WorkerAnswer, timeoutMs: number): Outcome {
  const raw: JsonObject = { stdout: answer.stdout.text, stderr: answer.stderr.text }
  switch (answer.ended) {
    case 'answer':
      return withPrinted(readAnswer(answer.result), {
        stdout: answer.stdout.text,
        stderr: answer.stderr.text,
      })
    case 'fault': {
      const { kind, message, traceback } = answer.fault
      const evidence = traceback === undefined ? raw : { ...raw, traceback }
      if (kind === 'too-large') return failure('OUTPUT_TOO_LARGE', message, evidence, LARGE_RESULT)
      return failure('EXECUTION_FAILED', message, evidence)
    }
    case 'exit': {
      if (answer.exit.exceeded !== undefined) return excessFailure(answer.exit.exceeded, raw)
      const cause = describeExit(answer.exit)
      const said = lastLines(answer.stderr.text)
      return failure('EXECUTION_FAILED', `the tool ended its worker with ${cause}${said && `: ${said}`}`, {
        ...raw,
        exit_code: answer.exit.code,
      })
    }
    case 'invalid-answer':
      return failure('EXECUTION_FAILED', "the tool wrote to its worker's protocol channel", raw)
    default:
      return endingFailure(answer.ended, timeoutMs, raw)
  }
}

export function describeExit({ code, signal, exceeded }: Exit): string {
  if (exceeded !== undefined) return `signal SIGKILL for using ${exceeded}`
  return signal === null ? `exit status ${code}` : `signal ${signal}`
}

/** A value that says `success: false` is a failure, whatever else it says. */
export function readAnswer(value: JsonValue): Outcome {
  if (isRecord(value) && value.success === false) {
    return failure('EXECUTION_FAILED', statedError(value) ?? 'the tool answered `success: false`', value)
  }
  return { status: 'success', data: value }
}

/**
 * Adds what the tool printed. A failure that the tool states itself gets it as evidence, in members of its
 * own.
 */
function withPrinted(outcome: Outcome, printed: Printed): Outcome {
  if (printed.stdout === '' && printed.stderr === '') return outcome
  if (outcome.status === 'success') return { ...outcome, printed }
  const { data } = outcome
  const isFree = isRecord(data) && data.stdout === undefined && data.stderr === undefined
  return isFree ? { ...outcome, data: { ...data, ...printed } } : outcome
}

export function failure(code: ErrorCode, message: string, data: JsonValue, hint?: string): Outcome {
  // Escaped before cutting: escapes make a message of hidden characters long.
  const text = cutText(escapeHidden(message, { oneLine: true }), MESSAGE_LENGTH)
  return { status: 'error', error: new AppError(code, text, hint === undefined ? {} : { hint }), data }
}

export interface Listeners {
  readonly onProgress: ((progress: JsonObject) => void) | undefined
  /** Called with each line of output as it comes, except progress lines. */
  readonly onOutput: ((line: string) => void) | undefined
}

/** Splits the lines that a tool writes into progress and output, if anybody listens. */
export function listenToLines({ onProgress, onOutput }: Listeners): {
  readonly onStdoutLine?: (line: string) => void
  readonly onStderrLine?: (line: string) => void
} {
  return {
    ...(onOutput && { onStdoutLine: onOutput }),
    ...((onProgress || onOutput) && {
      onStderrLine: line => {
        const progress = readProgress(line)
        if (progress) onProgress?.(progress)
        else onOutput?.(line)
      },
    }),
  }
}

/** A progress line: `{"progress": ...}`. */
export function readProgress(line: string): JsonObject | undefined {
  if (!line.startsWith('{"progress"') && !line.startsWith('{ "progress"')) return undefined
  const parsed = parseJson(line)
  // `parseJson` yields JSON values only.
  return isRecord(parsed) && 'progress' in parsed ? (parsed as JsonObject) : undefined
}

/** JSON that is not nested too deeply, or undefined. Empty text is not JSON. */
export function parseJson(text: string): JsonValue | undefined {
  const trimmed = text.trim()
  if (trimmed === '' || isTextDeeperThan(trimmed, JSON_DEPTH)) return undefined
  try {
    return JSON.parse(trimmed)
  } catch {
    return undefined
  }
}

function endingFailure(
  ended: 'timeout' | 'cancelled' | 'flood',
  timeoutMs: number,
  raw: JsonObject,
): Outcome {
  switch (ended) {
    case 'timeout': {
      const hint = 'raise the timeout of the tool or of the call, or make the tool do less'
      return failure(
        'EXECUTION_TIMEOUT',
        `the tool took longer than ${timeoutMs / 1000} s and was stopped`,
        raw,
        hint,
      )
    }
    case 'cancelled':
      return failure('EXECUTION_CANCELLED', 'the call was cancelled', raw)
    case 'flood':
      return failure(
        'OUTPUT_TOO_LARGE',
        'the tool wrote more than twice the limit and was stopped',
        raw,
        LARGE_RESULT,
      )
  }
}

function excessFailure(exceeded: string, raw: JsonObject): Outcome {
  const hint = "make the tool do less at a time, or raise `limits` in the user's `rye.toml`"
  return failure('EXECUTION_FAILED', `the tool used ${exceeded} and was stopped`, raw, hint)
}

function statedError(value: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof value.error === 'string' && value.error !== '') return value.error
  if (isRecord(value.error) && typeof value.error.message === 'string') return value.error.message
  return typeof value.message === 'string' && value.message !== '' ? value.message : undefined
}
