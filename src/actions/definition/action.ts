// The shape of every action: a name, fields, and one function from input to answer.
import type { Caller, JsonObject } from '../../base/index.ts'
import type { Thread } from '../../catalogue/index.ts'
import type { Library } from '../../workspace/index.ts'
import type { Fields, InputOf } from './field-spec.ts'

/** How to start `rye`, in the form that MCP clients store. */
export interface Program {
  readonly command: string
  readonly args?: readonly string[]
}

/**
 * A question to the person on whose behalf an action runs. Consent to one `subject` is not consent to
 * another.
 */
export interface Question {
  readonly text: string
  readonly subject: string
}

export interface Progress {
  readonly message: string
  readonly done: number
  readonly total?: number
  /**
   * For steps that may be silent for minutes, such as a download: a surface with only a log reports these
   * too.
   */
  readonly waits?: true
}

/** Actions that tools of the package may run. */
export interface ToolActions {
  /** The checked input of an action, or undefined if no tool may run it. Throws `INVALID_INPUT`. */
  read(name: string, parameters: JsonObject, projectPath: string): Promise<JsonObject | undefined>
  /** Runs it with an input from `read`, on behalf of the same caller. Throws `AppError` if it fails. */
  run(name: string, input: JsonObject, signal: AbortSignal): Promise<JsonObject>
}

/** One of the person's own programs, such as git or an editor. */
export interface ProgramCall {
  readonly command: string
  readonly args: readonly string[]
  readonly directory: string
  /** The program gets the terminal until it ends; otherwise its output is collected. */
  readonly atTerminal?: boolean
  /** The program is ended after this time. No limit by default. */
  readonly timeoutMs?: number
}

export interface ProgramEnd {
  /** Null when the program could not be started or a signal ended it. */
  readonly status: number | null
  readonly output: string
  readonly errors: string
}

/** Work that an action can hand to a thread: `rows` makes rows of a catalogue. */
export type ThreadPart = 'rows'

/** What an action may use besides its input. */
export interface ActionContext {
  readonly library: Library
  readonly caller: Caller
  /** The calling program, by the name it gives itself. It is kept in receipts; nothing depends on it. */
  readonly client?: string | undefined
  /** Written into the settings of clients that start `rye`. When absent, they start it through npm. */
  readonly program?: Program | undefined
  /** Relative paths start here. When absent, they are refused. */
  readonly directory?: string | undefined
  readonly signal: AbortSignal
  /** Called with the progress of long work. */
  readonly onProgress: (progress: Progress) => void
  /** Called with each line that a tool writes while it runs. Absent when nobody watches. */
  readonly onOutput?: ((line: string) => void) | undefined
  /** Asks the person. Absent when nobody can be asked. */
  readonly confirm?: ((question: Question) => Promise<boolean>) | undefined
  /**
   * Shows a first part of the answer. When absent, the action answers with what it has instead of waiting.
   */
  readonly showFirst?: ((answer: object) => void) | undefined
  /** Filled in by `runAction`. */
  readonly toolActions?: ToolActions | undefined
  /** Runs a program in the person's environment and waits for it. Absent when there is no such person. */
  readonly runProgram?: ((call: ProgramCall) => Promise<ProgramEnd>) | undefined
  /** Starts the program again in a thread, for one part of the work. When absent, one thread does all. */
  readonly startThread?: ((part: ThreadPart) => Thread) | undefined
  /** A sentence for the person watching; never part of the answer. */
  readonly onNote: (text: string) => void
}

export interface Action<F extends Fields = Fields, Answer extends object = object> {
  readonly name: string
  /** For the agent: what it does and when to use it. */
  readonly description: string
  readonly fields: F
  readonly effects: { readonly readOnly: boolean; readonly destructive: boolean; readonly openWorld: boolean }
  /** Refused when an agent calls: people decide about keys and trust. */
  readonly forPeople?: true
  run(context: ActionContext, input: InputOf<F>): Promise<Answer>
  /** The command's exit status for an answer that is not a failure. Default: 0. */
  exitStatus?(answer: Answer): number
}

/** Infers the types of an action from its fields and its answer. */
export function defineAction<const F extends Fields, Answer extends object>(
  action: Action<F, Answer>,
): Action<F, Answer> {
  return action
}
