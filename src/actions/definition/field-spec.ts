// Fields of an action, as data. One list feeds the MCP schema, the flags, the reference pages, and the types below.
import type { JsonValue } from '../../base/index.ts'

export interface FieldSpec {
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'strings' | 'any'
  readonly about: string
  /** What a model is told instead, where less is enough. */
  readonly listed?: string
  readonly required?: true
  /** Required, but a surface may know it: a schema does not ask the caller for it. */
  readonly filled?: true
  readonly values?: readonly string[]
  /** Values that are accepted as well: they mean something to few, and are not listed to all. */
  readonly unlisted?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: JsonValue
  /** A person may give it; an agent is neither told of it nor heard: some of these are a consent. */
  readonly forPeople?: true
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

/** What an agent may give. */
export function listedFields(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, field]) => !field.forPeople))
}

/** What a caller gives: required fields must be there, all others may be. */
export type CallInput<F extends Fields> = Flat<
  {
    readonly [K in keyof F as F[K] extends { required: true } ? K : never]: ValueOf<F[K]>
  } & {
    readonly [K in keyof F as F[K] extends { required: true } ? never : K]?: ValueOf<F[K]> | undefined
  }
>

/** Of an action without fields. */
export type NoInput = Readonly<Record<string, never>>

/** What `run` receives: required and defaulted fields are there, the others may be. */
export type InputOf<F extends Fields> = Flat<
  {
    readonly [K in keyof F as F[K] extends Given ? K : never]: ValueOf<F[K]> | UnlistedOf<F[K]>
  } & {
    readonly [K in keyof F as F[K] extends Given ? never : K]?: ValueOf<F[K]> | UnlistedOf<F[K]>
  }
>

type Given = { required: true } | { default: JsonValue }

type ValueOf<S extends FieldSpec> = S extends { values: readonly (infer V)[] } ? V : TypesOfValues[S['type']]

type UnlistedOf<S extends FieldSpec> = S extends { unlisted: readonly (infer V)[] } ? V : never

interface TypesOfValues {
  string: string
  integer: number
  number: number
  boolean: boolean
  object: Readonly<Record<string, unknown>>
  strings: readonly string[]
  any: unknown
}

/** One object type instead of an intersection, as it is shown in an editor. */
type Flat<T> = { [K in keyof T]: T[K] }
