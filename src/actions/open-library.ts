// The library for programs: open it, call an action by name, close it. Typed by `signatures.ts`; checked, and answered,
// as on every surface.
import { AppError, type Caller, describeType, escapeHidden, isDeeperThan, nearest } from '../base/index.ts'
import { openLibrary as openSpaces } from '../workspace/index.ts'
import { createCancellations } from './cancellation.ts'
import type { Action, ActionContext, Program, Progress } from './definition/action.ts'
import { describeFailure, type Failure } from './definition/failure.ts'
import { readInput } from './definition/read-input.ts'
import { resolvePath } from './definition/resolve-path.ts'
import { checkLibraryOptions, readCallOptions } from './library-options.ts'
import { runAction } from './run-action.ts'
import type { ActionAnswer, ActionInput, ActionName } from './signatures.ts'
import { ACTIONS, type ActionEntry, findAction } from './table.ts'

export interface LibraryOptions {
  /**
   * On whose behalf actions are called. What only a person may decide (keys, trust, a new project) is refused to an
   * agent with `POLICY_DENIED`, and so is signing, where the user's settings say so.
   */
  readonly caller: Caller
  /** Variables such as `HOME`, `PATH`, `USER_SPACE`; tools get a few of them. Mostly `process.env`. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Where relative paths in an input begin, except `project_path`, which is absolute. Without it they are refused. */
  readonly directory?: string
  /** How clients that `init` sets up start `rye`. Without it, they start the published package through npm. */
  readonly program?: Program
}

export interface CallOptions {
  /** Cancels the call: unless it is done, it answers with `EXECUTION_CANCELLED`. */
  readonly signal?: AbortSignal
  /** Called with the progress of long work. */
  readonly onProgress?: (progress: Progress) => void
}

export interface Library {
  /**
   * Calls an action, and answers with what `rye NAME --json` prints. A failure is an answer, too: `status` is `error`,
   * and `code` says which. The promise is rejected only by a fault of this package.
   */
  call<Name extends ActionName>(
    name: Name,
    input: ActionInput<Name>,
    options?: CallOptions,
  ): Promise<CallResult<Name>>
  /** Cancels calls under way, and ends all processes that were started. Later calls fail with `NOT_AVAILABLE`. */
  close(): Promise<void>
}

/** `status === 'error'` tells a failure from an answer, also from one that has no status. */
export type CallResult<Name extends ActionName> = (WithStatus<ActionAnswer<Name>> | Failure) & DevMode

type WithStatus<Answer> = Answer extends { status: string }
  ? Answer
  : Answer & { readonly status?: undefined }

interface DevMode {
  /** What its author works on in the project is accepted without a good signature: `RYE_DEV_MODE=1`. */
  readonly dev_mode?: true
}

/** Deeper input has no honest use. */
const DEEPEST_INPUT = 100

/** Throws `INVALID_INPUT` when an option is of another type, or a path among them is relative and nothing says where it begins. */
export function openLibrary(options: LibraryOptions): Library {
  checkLibraryOptions(options)
  const spaces = openSpaces({ environment: withUserSpace(options), caller: options.caller })
  const closing = new AbortController()
  const running = new Set<Promise<object>>()
  const cancelWith = createCancellations(cancelled)

  const call = async (name: unknown, input: unknown, callOptions: unknown): Promise<object> => {
    const readRaw = copyInput(input)
    const entry = requireAction(name)
    const { signal, onProgress } = readCallOptions(callOptions)
    if (closing.signal.aborted) throw new AppError('NOT_AVAILABLE', 'the library is closed')
    const cancellation = cancelWith(signal ? [closing.signal, signal] : [closing.signal])
    try {
      return await runUntilCancelled(await entry.load(), readRaw, {
        library: spaces,
        caller: options.caller,
        program: options.program,
        directory: options.directory,
        signal: cancellation.signal,
        onProgress,
        onNote: () => {},
      })
    } finally {
      cancellation.release()
    }
  }

  return {
    call(name, input, callOptions = {}) {
      const answer = withFailures(options.caller, call(name, input, callOptions))
      running.add(answer)
      const forget = () => running.delete(answer)
      answer.then(forget, forget)
      // Of the action of this name, which the signatures name as well.
      return answer as Promise<never>
    },
    async close() {
      closing.abort()
      await Promise.allSettled(running)
      await spaces.close()
    },
  }
}

async function runUntilCancelled(
  action: Action,
  readRaw: () => unknown,
  context: ActionContext,
): Promise<object> {
  const read = () => {
    context.signal.throwIfAborted()
    return readInput(action.fields, readRaw(), context.caller)
  }
  try {
    return (await runAction({ action, read, context })).answer
  } catch (thrown) {
    throw context.signal.aborted ? cancelled() : thrown
  }
}

async function withFailures(caller: Caller, answer: Promise<object>): Promise<object> {
  try {
    return await answer
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    return describeFailure(thrown, caller)
  }
}

/** Copies the input at once, so that what the caller changes meanwhile changes nothing here. */
function copyInput(input: unknown): () => unknown {
  try {
    const text: string | undefined = JSON.stringify(input)
    const copy: unknown = text === undefined ? undefined : JSON.parse(text)
    if (isDeeperThan(copy, DEEPEST_INPUT)) throw new Error(`at most ${DEEPEST_INPUT} levels of nesting`)
    return () => copy
  } catch (cause) {
    return () => {
      throw new AppError('INVALID_INPUT', `expected JSON values: ${(cause as Error).message}`, { cause })
    }
  }
}

function cancelled(): AppError {
  return new AppError('EXECUTION_CANCELLED', 'the call was cancelled')
}

function withUserSpace({ environment, directory }: LibraryOptions): LibraryOptions['environment'] {
  const { USER_SPACE: given } = environment
  if (directory !== undefined) resolvePath({}, directory)
  if (!given || given.startsWith('~')) return environment
  return { ...environment, USER_SPACE: resolvePath({ directory }, given) }
}

function requireAction(name: unknown): ActionEntry {
  if (typeof name !== 'string')
    throw new AppError('INVALID_INPUT', `expected the name of an action, got ${describeType(name)}`)
  const entry = findAction(name)
  if (entry) return entry
  const names = ACTIONS.map(action => action.name)
  const close = nearest(name, names)[0]
  const shown = escapeHidden(name.slice(0, 60), { oneLine: true })
  throw new AppError('INVALID_INPUT', `unknown action \`${shown}\``, {
    hint: close ? `did you mean \`${close}\`?` : `actions: ${names.join(', ')}`,
  })
}
