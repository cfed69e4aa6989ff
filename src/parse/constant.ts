// Reads a constant of a code file part by part. A member whose value is known only by running code is left
// out of its object and reported with its place; the rest is kept. A list is read whole or not at all, since
// its length and order matter. A constant may refer to others in its file. What such references repeat is
// bounded, since a few lines could expand to more than fits into memory.
import { type Diagnostic, isRecord, type JsonObject, type JsonValue } from '../base/index.ts'
import { TOO_LARGE, toExact } from './metadata.ts'

/** A value inside a constant that could not be read. */
export interface Problem<Place> {
  /** Keys and indexes that lead to it. */
  readonly path: readonly (string | number)[]
  readonly reason: string
  readonly place: Place
}

export interface Constant<Place> {
  /** Undefined when none of it could be read. */
  readonly value: JsonValue | undefined
  readonly problems: readonly Problem<Place>[]
  /** The place of the first whole number that had to be kept as text, if any. */
  readonly tooLarge: Place | undefined
}

/** A diagnostic about a constant that is a metadata field. */
export interface Notice<Place> {
  readonly severity: Diagnostic['severity']
  readonly code: string
  readonly message: string
  readonly place: Place
}

/** A field that could not be read is an error. If only parts of it could not, each part is a warning. */
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

const TOO_MUCH = 'more data than is read from one file'

/**
 * The constant that a name refers to. If it has no value, its own problems are passed on only when it was too
 * large; otherwise the problem is just the name.
 */
export function namedConstant<Place>(
  name: string,
  constant: Constant<Place> | undefined,
): Constant<Place> | Refusal {
  const isTold = constant?.value !== undefined || constant?.problems.some(({ reason }) => reason === TOO_MUCH)
  return constant && isTold ? constant : { reason: `the name \`${name}\`` }
}

/** A member of a constant object. If the object could not be read, its problems are the member's. */
export function memberOf<Place>(object: Constant<Place>, key: string): Constant<Place> {
  const { value } = object
  if (!isRecord(value)) return { ...object, value: undefined }
  return partOf(object, key, value[key])
}

/** The value with the problems inside it. */
function partOf<Place>(
  whole: Constant<Place>,
  key: string | number,
  value: JsonValue | undefined,
): Constant<Place> {
  const own = whole.problems.filter(({ path }) => path[0] === key)
  return { ...whole, value, problems: own.map(problem => ({ ...problem, path: problem.path.slice(1) })) }
}

/**
 * Like `memberOf`, but undefined unless the member certainly has this value: a spread or a key that could not
 * be read may have set any member.
 */
export function ownMemberOf<Place>(object: Constant<Place>, key: string): Constant<Place> | undefined {
  const { value, problems } = object
  if (problems.length === MAX_PROBLEMS || problems.some(({ path }) => path.length === 0)) return undefined
  if (Array.isArray(value)) return elementOf(object, value, key)
  const member = memberOf(object, key)
  const isKnown = isRecord(value) && Object.hasOwn(value, key)
  return isKnown || member.problems.length > 0 ? member : undefined
}

/** A list is read whole or not at all, but parts of its elements may be missing. */
function elementOf<Place>(
  list: Constant<Place>,
  values: readonly JsonValue[],
  key: string,
): Constant<Place> | undefined {
  const index = Number(key)
  const value = values[index]
  return value === undefined || String(index) !== key ? undefined : partOf(list, index, value)
}

export function refusedConstant<Place>(place: Place, reason: string): Constant<Place> {
  return { value: undefined, problems: [{ path: [], reason, place }], tooLarge: undefined }
}

/** State shared by the constants of one file. */
export interface SharedReading {
  /** How much they may still repeat, all together. */
  readonly left: { values: number; text: number }
  /** For each object, the keys whose values could not be read. */
  readonly unread: WeakMap<JsonObject, Set<string>>
}

export function createSharedReading(): SharedReading {
  return { left: { values: 20_000, text: 2_000_000 }, unread: new WeakMap() }
}

const MAX_LEVELS = 200
export const TOO_DEEP = 'too many levels of nesting'
/** The most steps of a path that are reported. Through names, a path could be as long as the file. */
const MAX_STEPS = 20
/** The most problems reported for one constant. */
const MAX_PROBLEMS = 20

/** The state of reading one constant. */
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

  /** Enters a nested expression. Returns false when that is too deep; otherwise `leave` must follow. */
  enter(): boolean {
    if (this.#levels >= MAX_LEVELS) return false
    this.#levels++
    return true
  }

  leave(): void {
    this.#levels--
  }

  /** Reads the value under a key or an index. */
  at<Value>(step: string | number, read: () => Value): Value {
    this.#path.push(step)
    const value = read()
    this.#path.pop()
    return value
  }

  /** Returns the value of a named constant, and takes over its problems. */
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

  /** Appends the items of `value` to `list`. Returns false when it cannot. */
  spreadList(value: JsonValue | undefined, place: Place, list: JsonValue[]): boolean {
    if (value === undefined) return false
    if (!Array.isArray(value)) {
      this.refuse(place, 'a spread of something that is not a list')
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
      this.refuse(place, 'a spread of something that is not an object')
      return
    }
    const entries = Object.entries(value)
    const unread = [...(this.#shared.unread.get(value) ?? [])]
    if (!this.#spend('values', entries.length + unread.length, place)) return
    for (const [key, item] of entries) this.setMember(object, key, item)
    for (const key of unread) this.setMember(object, key, undefined)
  }

  /** `undefined` is a value that could not be read. It replaces an earlier one, too. */
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
