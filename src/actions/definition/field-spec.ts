// Fields of an action, as data: one list for the MCP schema, the flags, the reference pages and these types.
import type { JsonValue } from '../../base/index.ts'

export interface FieldSpec {
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'strings' | 'any'
  readonly about: string
  /** Shorter text for models, used instead of `about`. Empty for none. */
  readonly listed?: string
  readonly required?: true
  /** Required, but a surface may fill it in; then the schema does not require it of the caller. */
  readonly filled?: true
  readonly values?: readonly string[]
  /** Further accepted values, left out of the schema because few callers need them. */
  readonly unlisted?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: JsonValue
  /** Only a person may give it. Agents are not told of it and may not send it: some of these are consents. */
  readonly forPeople?: true
  /** How it is typed on the command line. Default: `--name`, with dashes. */
  readonly flag?: {
    /** The flag's name, when it differs from the field's. */
    readonly name?: string
    /** Taken from the words after the command; `rest` takes all of them. */
    readonly position?: 'first' | 'rest'
    /**
     * How the text becomes a value: repeated flags, `k=v` pairs, JSON. In `conditions`, pairs may repeat a
     * name, and all of them must hold.
     */
    readonly form?: 'list' | 'pairs' | 'conditions' | 'json'
    /** What stands for the value in help: `--limit N`. */
    readonly value?: string
    /** Not offered on the command line. */
    readonly hidden?: true
  }
}

export type Fields = Readonly<Record<string, FieldSpec>>

/** The fields that an agent may give. */
export function listedFields(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, field]) => !field.forPeople))
}

/** What a caller gives: required fields must be present, all others may be. */
export type CallInput<F extends Fields> = Flat<
  {
    readonly [K in keyof F as F[K] extends { required: true } ? K : never]: ValueOf<F[K]>
  } & {
    readonly [K in keyof F as F[K] extends { required: true } ? never : K]?: ValueOf<F[K]> | undefined
  }
>

/** The input of an action without fields. */
export type NoInput = Readonly<Record<string, never>>

/** What `run` receives: required and defaulted fields are present, the others may be. */
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

/** Flattens an intersection into one object type, so that editors show its members. */
type Flat<T> = { [K in keyof T]: T[K] }
