// A constant of a code file, read part by part. What would have to run to be known is left out of the object that it is
// a member of, with its place, and the rest is kept; a list is read whole or not at all, since its length and its order
// mean something. A constant may name others of its file: whatever such names repeat is bounded, since a few lines could
// ask for more than fits into memory.
import { type Diagnostic, isRecord, type JsonObject, type JsonValue } from '../base/index.ts'
import { TOO_LARGE, toExact } from './metadata.ts'

/** A value inside of a constant that could not be read. */
export interface Problem<Place> {
  /** Keys and indexes that lead to it. */
  readonly path: readonly (string | number)[]
  readonly reason: string
  readonly place: Place
}

export interface Constant<Place> {
  /** Undefined when nothing of it could be read. */
  readonly value: JsonValue | undefined
  readonly problems: readonly Problem<Place>[]
  /** Where the first whole number stands that had to be kept as text. */
  readonly tooLarge: Place | undefined
}

/** What is to be told of a constant that is a field of the metadata. */
export interface Notice<Place> {
  readonly severity: Diagnostic['severity']
  readonly code: string
  readonly message: string
  readonly place: Place
}

/** A field that could not be read is an error; of one that was read but for some parts, each part is a warning. */
export function noticesOf<Place>(
  language: 'javascript' | 'python',
  field: string,
  { value, problems, tooLarge }: Constant<Place>,
): Notice<Place>[] {
  const notices = problems.map(({ path, reason, place }): Notice<Place> => {
    const message = `expected \`${[field, ...path].join('.')}\` to be a constant, got ${reason}`
    return {
      severity: value === undefined ? 'error' : 'warning',
      code: `${language}-not-constant`,
      message,
      place,
    }
  })
  if (value === undefined || tooLarge === undefined) return notices
  const message = `at \`${field}\`: ${TOO_LARGE.message}`
  return [...notices, { severity: 'warning', code: TOO_LARGE.code, message, place: tooLarge }]
}

/** Why a name gives no value. */
export interface Refusal {
  readonly reason: string
}

const TOO_MUCH = 'more than is read of one file'

/** What a name stands for. Of one without a value it is told only where too much was asked for. */
export function namedConstant<Place>(
  name: string,
  constant: Constant<Place> | undefined,
): Constant<Place> | Refusal {
  const isTold = constant?.value !== undefined || constant?.problems.some(({ reason }) => reason === TOO_MUCH)
  return constant && isTold ? constant : { reason: `the name \`${name}\`` }
}

/** A member of a constant object. Why there is no object is why there is no member. */
export function memberOf<Place>(object: Constant<Place>, key: string): Constant<Place> {
  const { value, problems } = object
  if (!isRecord(value)) return { ...object, value: undefined }
  const own = problems.filter(({ path }) => path[0] === key)
  return {
    ...object,
    value: value[key],
    problems: own.map(problem => ({ ...problem, path: problem.path.slice(1) })),
  }
}

/** The same where the program has it for certain: a spread or a key that could not be read may have set any member. */
export function ownMemberOf<Place>(object: Constant<Place>, key: string): Constant<Place> | undefined {
  const { value, problems } = object
  if (problems.length === MAX_PROBLEMS || problems.some(({ path }) => path.length === 0)) return undefined
  const member = memberOf(object, key)
  const isKnown = isRecord(value) && Object.hasOwn(value, key)
  return isKnown || member.problems.length > 0 ? member : undefined
}

export function refusedConstant<Place>(place: Place, reason: string): Constant<Place> {
  return { value: undefined, problems: [{ path: [], reason, place }], tooLarge: undefined }
}

/** What the constants of one file share. */
export interface SharedReading {
  /** What they may still repeat together. */
  readonly left: { values: number; text: number }
  /** Of each object the keys that it has, with values that could not be read. */
  readonly unread: WeakMap<JsonObject, Set<string>>
}

export function createSharedReading(): SharedReading {
  return { left: { values: 20_000, text: 2_000_000 }, unread: new WeakMap() }
}

const MAX_LEVELS = 200
export const TOO_DEEP = 'too many levels of nesting'
/** What is told of a path: through names it could be as long as the file. */
const MAX_STEPS = 20
/** Each is told; more would say no more. */
const MAX_PROBLEMS = 20

/** One constant while it is read. */
export class Reading<Place> {
  readonly #shared: SharedReading
  readonly #problems: Problem<Place>[] = []
  readonly #path: (string | number)[] = []
  #levels = 0
  #tooLarge: Place | undefined

  constructor(shared: SharedReading) {
    this.#shared = shared
  }

  finish(value: JsonValue | undefined): Constant<Place> {
    return { value, problems: this.#problems, tooLarge: this.#tooLarge }
  }

  refuse(place: Place, reason: string): undefined {
    this.#add({ path: [...this.#path], reason, place })
    return undefined
  }

  /** Goes into an expression inside of another, unless that is too deep. Each is left again. */
  enter(): boolean {
    if (this.#levels >= MAX_LEVELS) return false
    this.#levels++
    return true
  }

  leave(): void {
    this.#levels--
  }

  /** Reads what stands under a key or an index. */
  at<Value>(step: string | number, read: () => Value): Value {
    this.#path.push(step)
    const value = read()
    this.#path.pop()
    return value
  }

  /** The value of a named constant, with what is missing in it. */
  take(named: Constant<Place>): JsonValue | undefined {
    for (const problem of named.problems) {
      this.#add({ ...problem, path: [...this.#path, ...problem.path].slice(0, MAX_STEPS) })
    }
    this.#tooLarge ??= named.tooLarge
    return named.value
  }

  exact(value: bigint, place: Place): number | string {
    const kept = toExact(value)
    if (typeof kept === 'string') this.#tooLarge ??= place
    return kept
  }

  /** Adds the items of a list to another, and says whether it could. */
  spreadList(value: JsonValue | undefined, place: Place, list: JsonValue[]): boolean {
    if (value === undefined) return false
    if (!Array.isArray(value)) {
      this.refuse(place, 'a spread of something that is no list')
      return false
    }
    if (!this.#spend('values', value.length, place)) return false
    for (const item of value) list.push(item)
    return true
  }

  /** Adds the members of an object to another. */
  spreadObject(value: JsonValue | undefined, place: Place, object: JsonObject): void {
    if (value === undefined) return
    if (value === null || typeof value !== 'object' || Array.isArray(value)) {
      this.refuse(place, 'a spread of something that is no object')
      return
    }
    const entries = Object.entries(value)
    const unread = [...(this.#shared.unread.get(value) ?? [])]
    if (!this.#spend('values', entries.length + unread.length, place)) return
    for (const [key, item] of entries) this.setMember(object, key, item)
    for (const key of unread) this.setMember(object, key, undefined)
  }

  /** A value that could not be read takes the place of an earlier one, too. */
  setMember(object: JsonObject, key: string, value: JsonValue | undefined): void {
    const { unread } = this.#shared
    if (value !== undefined) {
      object[key] = value
      unread.get(object)?.delete(key)
      return
    }
    delete object[key]
    const keys = unread.get(object) ?? new Set()
    unread.set(object, keys.add(key))
  }

  join(parts: readonly string[], place: Place): string | undefined {
    const length = parts.reduce((sum, part) => sum + part.length, 0)
    return this.#spend('text', length, place) ? parts.join('') : undefined
  }

  #spend(what: keyof SharedReading['left'], amount: number, place: Place): boolean {
    const { left } = this.#shared
    if (amount > left[what]) {
      this.refuse(place, TOO_MUCH)
      return false
    }
    left[what] -= amount
    return true
  }

  #add(problem: Problem<Place>): void {
    if (this.#problems.length < MAX_PROBLEMS) this.#problems.push(problem)
  }
}
