// Checks the options that a program passes besides the input of an action. The program may be untyped
// JavaScript, so wrong options are reported before anything is done.
import { AppError, describeType, isRecord, quoteText } from '../base/index.ts'
import type { Progress } from './definition/action.ts'

/** Throws `INVALID_INPUT`. `caller` decides what is permitted, so it is checked first. */
export function checkLibraryOptions(options: unknown): void {
  expectRecord('options', options)
  const { caller, environment, directory, program } = options
  if (caller !== 'person' && caller !== 'agent')
    throw wrongOption(
      'caller',
      'person or agent',
      caller === undefined || Object(caller) === caller ? describeType(caller) : quoteText(String(caller)),
    )
  expectRecord('environment', environment)
  // A `Map` has its variables elsewhere: without them, the home of the process's user would be opened.
  if (Symbol.iterator in environment)
    throw wrongOption('environment', 'names with their values', 'a collection')
  for (const [name, value] of Object.entries(environment)) expectText(`environment.${name}`, value)
  expectText('directory', directory)
  if (program === undefined) return
  expectRecord('program', program)
  if (typeof program.command !== 'string')
    throw wrongOption('program.command', 'a string', describeType(program.command))
  const { args = [] } = program
  if (!Array.isArray(args) || !args.every(argument => typeof argument === 'string'))
    throw wrongOption('program.args', 'a list of strings', describeType(args))
}

export interface CheckedCallOptions {
  readonly signal: AbortSignal | undefined
  readonly onProgress: (progress: Progress) => void
}

/** Throws `INVALID_INPUT`. Errors thrown by `onProgress` are ignored: an observer cannot end the call. */
export function readCallOptions(options: unknown): CheckedCallOptions {
  expectRecord('options', options)
  // `null` counts as absent.
  const signal = options.signal ?? undefined
  const onProgress = options.onProgress ?? undefined
  if (signal !== undefined && !isSignal(signal))
    throw wrongOption('signal', 'an AbortSignal', describeType(signal))
  if (onProgress !== undefined && typeof onProgress !== 'function')
    throw wrongOption('onProgress', 'a function', describeType(onProgress))
  // An async callback throws by rejecting its promise.
  const tell = async (progress: Progress) => onProgress?.(progress)
  return { signal, onProgress: progress => void tell(progress).catch(() => {}) }
}

/** Checks members instead of using `instanceof`: a program may pass a signal from another realm. */
function isSignal(value: unknown): value is AbortSignal {
  return (
    isRecord(value) &&
    typeof value.aborted === 'boolean' &&
    typeof value.addEventListener === 'function' &&
    typeof value.removeEventListener === 'function'
  )
}

function expectRecord(name: string, value: unknown): asserts value is Record<string, unknown> {
  if (!isRecord(value)) throw wrongOption(name, 'an object', describeType(value))
}

function expectText(name: string, value: unknown): void {
  if (value !== undefined && typeof value !== 'string')
    throw wrongOption(name, 'a string', describeType(value))
}

function wrongOption(name: string, expected: string, found: string): AppError {
  return new AppError('INVALID_INPUT', `\`${name}\`: expected ${expected}, got ${found}`)
}
