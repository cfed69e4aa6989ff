// The shape of every action: a name, fields, and one function from input to answer.
import type { Caller, JsonObject } from '../../base/index.ts'
import type { Thread } from '../../catalogue/index.ts'
import type { Library } from '../../workspace/index.ts'
import type { Fields, InputOf } from './field-spec.ts'

/** How `rye` is started, in the form in which clients of MCP keep it. */
export interface Program {
  readonly command: string
  readonly args?: readonly string[]
}

/** For the person on whose behalf an action runs, in words, and what exactly it is about: consent to one subject is none to another. */
export interface Question {
  readonly text: string
  readonly subject: string
}

export interface Progress {
  readonly message: string
  readonly done: number
  readonly total?: number
  /** For something that may take minutes without a sign of life, such as a download: also a log should say so. */
  readonly waits?: true
}

/** Actions that tools of the package may run. */
export interface ToolActions {
  /** The checked input of an action, or undefined if no tool may run it. Throws `INVALID_INPUT`. */
  read(name: string, parameters: JsonObject, projectPath: string): Promise<JsonObject | undefined>
  /** Runs it with an input that was read, on behalf of the same caller. Throws `AppError` if it fails. */
  run(name: string, input: JsonObject, signal: AbortSignal): Promise<JsonObject>
}

/** A program of the person's own, such as git or an editor. */
export interface ProgramCall {
  readonly command: string
  readonly args: readonly string[]
  readonly directory: string
  /** It has the terminal until it ends; otherwise its output is collected. */
  readonly atTerminal?: boolean
  /** It is ended after this time; without it, it may take as long as it likes. */
  readonly timeoutMs?: number
}

export interface ProgramEnd {
  /** Null when it could not be started, or a signal ended it. */
  readonly status: number | null
  readonly output: string
  readonly errors: string
}

/** Work of an action that can be done in a thread: `rows`, to make rows of a catalogue. */
export type ThreadPart = 'rows'

/** What an action may use besides its input. */
export interface ActionContext {
  readonly library: Library
  readonly caller: Caller
  /** The program that calls, as it names itself. It is kept in receipts, and decides nothing. */
  readonly client?: string | undefined
  /** For settings of clients that start `rye`; without it, npm starts it. */
  readonly program?: Program | undefined
  /** Where relative paths begin; without it, they are refused. */
  readonly directory?: string | undefined
  readonly signal: AbortSignal
  /** Called with the progress of long work. */
  readonly onProgress: (progress: Progress) => void
  /** Called with each line that a tool writes while it runs; without it, nobody watches. */
  readonly onOutput?: ((line: string) => void) | undefined
  /** Asks the person; without it, nobody can be asked. */
  readonly confirm?: ((question: Question) => Promise<boolean>) | undefined
  /** Shows what is known by now, before the rest of the answer is waited for; without it, nobody reads in parts, and nothing more is waited for. */
  readonly showFirst?: ((answer: object) => void) | undefined
  /** Filled in by `runAction`. */
  readonly toolActions?: ToolActions | undefined
  /** Runs a program with the person's environment and waits for it; without it, there is nobody whose programs these are. */
  readonly runProgram?: ((call: ProgramCall) => Promise<ProgramEnd>) | undefined
  /** Starts the program again in a thread that does one part of its work; without it, there is one thread for all. */
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
  /** Refused when an agent calls: keys and trust are decided by people. */
  readonly forPeople?: true
  run(context: ActionContext, input: InputOf<F>): Promise<Answer>
  /** The command's exit status for an answer that is no failure; 0 without it. */
  exitStatus?(answer: Answer): number
}

/** Infers the types of an action from its fields and from what it answers. */
export function defineAction<const F extends Fields, Answer extends object>(
  action: Action<F, Answer>,
): Action<F, Answer> {
  return action
}
