// The library for programs: open it, call actions by name, close it. `signatures.ts` gives the types. Inputs
// are checked and answers made as on every surface.
import {
  AppError,
  type Caller,
  describeType,
  escapeHidden,
  flattenText,
  isDeeperThan,
  nearest,
} from '../base/index.ts'
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
   * On whose behalf actions are called. Decisions reserved for people (keys, trust, a new project) are
   * refused to an agent with `POLICY_DENIED`; so is signing, if the user's settings say so.
   */
  readonly caller: Caller
  /** Variables such as `HOME`, `PATH`, `USER_SPACE`; tools get a few of them. Usually `process.env`. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /**
   * Relative paths in an input start here; without it they are refused. `project_path` is always absolute.
   */
  readonly directory?: string
  /** How clients that `init` sets up start `rye`. By default they start the published package through npm. */
  readonly program?: Program
}

export interface CallOptions {
  /** Cancels the call: it answers with `EXECUTION_CANCELLED` unless it is already done. */
  readonly signal?: AbortSignal
  /** Called with the progress of long work. */
  readonly onProgress?: (progress: Progress) => void
}

export interface Library {
  /**
   * Calls an action and resolves to what `rye NAME --json` prints. A failure is an answer too: `status` is
   * `error`, and `code` says which. The promise rejects only because of a fault in this package.
   */
  call<Name extends ActionName>(
    name: Name,
    input: ActionInput<Name>,
    options?: CallOptions,
  ): Promise<CallResult<Name>>
  /** Cancels running calls and ends all started processes. Later calls fail with `NOT_AVAILABLE`. */
  close(): Promise<void>
}

/** `status === 'error'` tells a failure from an answer, even for actions whose answers have no status. */
export type CallResult<Name extends ActionName> = (WithStatus<ActionAnswer<Name>> | Failure) & DevMode

type WithStatus<Answer> = Answer extends { status: string }
  ? Answer
  : Answer & { readonly status?: undefined }

interface DevMode {
  /** From `RYE_DEV_MODE=1`: project items that their author is editing need no good signature. */
  readonly dev_mode?: true
}

/** Maximum levels of nesting. Legitimate input is never deeper. */
const DEEPEST_INPUT = 100

/**
 * Throws `INVALID_INPUT` when an option has the wrong type, `directory` is relative, or `USER_SPACE` is
 * relative and there is no `directory`.
 */
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
      // `TABLE` checks that the action called `name` gives the answer that `Signatures` lists for it.
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

/** Copies the input immediately, so that later changes by the caller have no effect. */
function copyInput(input: unknown): () => unknown {
  try {
    const text: string | undefined = JSON.stringify(input)
    const copy: unknown = text === undefined ? undefined : JSON.parse(text)
    if (isDeeperThan(copy, DEEPEST_INPUT)) throw new Error(`at most ${DEEPEST_INPUT} levels of nesting`)
    return () => copy
  } catch (cause) {
    return () => {
      const reason = cause instanceof Error ? flattenText(cause.message) : 'reading them failed'
      throw new AppError('INVALID_INPUT', `expected JSON values: ${reason}`, { cause })
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
