// The shape of every action: a name, fields, and one function from input to answer.
// One definition feeds the MCP schema, the command line flags and the reference pages.
import type { JsonValue } from '../../base/index.ts'
import type { Library } from '../../workspace/index.ts'

export interface FieldSpec {
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'strings' | 'any'
  readonly about: string
  readonly required?: true
  /** Required, but a surface may know it: a schema does not ask the caller for it. */
  readonly filled?: true
  readonly values?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: JsonValue
  /** Offered on the command line only. */
  readonly surface?: 'cli'
  /** How it is typed on the command line; without one, `--name` with dashes. */
  readonly flag?: {
    /** The flag's name, when it differs from the field's. */
    readonly name?: string
    /** Taken from the words after the command; `rest` takes all of them. */
    readonly position?: 'first' | 'rest'
    /** How the text becomes a value: repeated flags, `k=v` pairs, JSON. A name may have several `conditions`, and all must hold. */
    readonly form?: 'list' | 'pairs' | 'conditions' | 'json'
    /** What stands for the value in help: `--limit N`. */
    readonly value?: string
    /** Not offered on the command line. */
    readonly hidden?: true
  }
}

export type Fields = Readonly<Record<string, FieldSpec>>

type ValueOf<S extends FieldSpec> = S extends { values: readonly (infer V)[] }
  ? V
  : S['type'] extends 'string'
    ? string
    : S['type'] extends 'integer' | 'number'
      ? number
      : S['type'] extends 'boolean'
        ? boolean
        : S['type'] extends 'strings'
          ? readonly string[]
          : S['type'] extends 'object'
            ? Readonly<Record<string, unknown>>
            : unknown

type Given<S extends FieldSpec> = S extends { required: true } | { default: JsonValue } ? true : false

/** What `run` receives: required and defaulted fields are there, the others may be. */
export type InputOf<F extends Fields> = {
  readonly [K in keyof F as Given<F[K]> extends true ? K : never]: ValueOf<F[K]>
} & {
  readonly [K in keyof F as Given<F[K]> extends true ? never : K]?: ValueOf<F[K]>
}

/** What an action may use besides its input. */
export interface ActionContext {
  readonly library: Library
  /** Which surface calls: policy treats an agent and a person differently. */
  readonly caller: 'agent' | 'person'
  readonly signal: AbortSignal
  /** Told how far a long piece of work has come. */
  readonly onProgress: (progress: Progress) => void
  /** A sentence for the person watching; never part of the answer. */
  readonly onNote: (text: string) => void
}

export interface Progress {
  readonly message: string
  readonly done: number
  readonly total?: number
}

export interface Action<F extends Fields = Fields> {
  readonly name: string
  /** For the agent: what it does and when to use it. */
  readonly description: string
  readonly fields: F
  readonly effects: { readonly readOnly: boolean; readonly destructive: boolean; readonly openWorld: boolean }
  run(context: ActionContext, input: InputOf<F>): Promise<object>
  /** The command's exit status for an answer that is no failure; 0 without it. */
  exitStatus?(answer: object): number
}

/** Checks the definition's types and forgets them, so that actions of every input fit in one table. */
export function defineAction<const F extends Fields>(action: Action<F>): Action {
  // The input was read against `fields` before `run` is called, so a table may hold all actions alike.
  return action as unknown as Action
}
