// Copies what a library made of a file into plain JSON values: null prototypes, no dates, no cycles, bounded size.
// Every value of every parser passes here, so a key such as `__proto__` is data and an alias bomb is a diagnostic.
import { isRecord, type JsonValue } from '../base/index.ts'
import type { Metadata } from './types.ts'

const MAX_DEPTH = 100
const MAX_NODES = 100_000
/** Characters in all strings and keys. Aliases share a string, but whatever is printed repeats it. */
const MAX_TEXT = 10_000_000

/** Told of each value that could not be kept as it was. */
export type OnProblem = (code: string, message: string) => void

interface Budget {
  nodes: number
  text: number
  readonly exceeded: Set<string>
  readonly onProblem: OnProblem
}

export function createMetadata(): Metadata {
  return Object.create(null)
}

/** Copies a record; anything else gives empty metadata. */
export function toMetadata(value: unknown, onProblem: OnProblem): Metadata {
  const copy = toJson(value, onProblem)
  // `toJson` gives records of this very type.
  return isRecord(copy) ? (copy as Metadata) : createMetadata()
}

/** Copies any value; `undefined` when nothing of it can be kept. */
export function toJson(value: unknown, onProblem: OnProblem): JsonValue | undefined {
  return copyValue(value, 0, { nodes: 0, text: 0, exceeded: new Set(), onProblem })
}

function copyValue(value: unknown, depth: number, budget: Budget): JsonValue | undefined {
  if (++budget.nodes > MAX_NODES) return refuse(budget, `more than ${MAX_NODES} values`)
  if (depth > MAX_DEPTH) return refuse(budget, `more than ${MAX_DEPTH} levels`)
  switch (typeof value) {
    case 'string':
      budget.text += value.length
      return budget.text > MAX_TEXT ? refuse(budget, `more than ${MAX_TEXT} characters`) : value
    case 'number':
      if (Number.isFinite(value)) return value
      budget.onProblem('number-not-finite', `\`${value}\` is kept as text`)
      return String(value)
    case 'bigint':
      return copyBigInt(value, budget)
    case 'boolean':
      return value
    case 'object':
      return value === null ? null : copyObject(value, depth, budget)
    case 'undefined':
      return undefined
    default:
      budget.onProblem('value-refused', `a value of type \`${typeof value}\` is not data`)
      return undefined
  }
}

function copyBigInt(value: bigint, budget: Budget): JsonValue {
  const number = Number(value)
  if (Number.isSafeInteger(number)) return number
  budget.onProblem('number-too-large', 'an integer past 2^53 is kept as text')
  return value.toString()
}

function copyObject(value: object, depth: number, budget: Budget): JsonValue | undefined {
  if (Array.isArray(value)) return copyList(value, depth, budget)
  if (value instanceof Set) return copyList(value, depth, budget)
  if (value instanceof Map) return copyEntries(value, depth, budget)
  if (value instanceof Date) return copyDate(value, budget)
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) {
    budget.onProblem('binary-refused', 'binary data is not metadata')
    return undefined
  }
  return copyEntries(Object.entries(value), depth, budget)
}

function copyList(items: Iterable<unknown>, depth: number, budget: Budget): JsonValue[] {
  const list: JsonValue[] = []
  for (const item of items) {
    if (isSpent(budget)) break
    const copy = copyValue(item, depth + 1, budget)
    if (copy !== undefined) list.push(copy)
  }
  return list
}

function copyEntries(entries: Iterable<[unknown, unknown]>, depth: number, budget: Budget): Metadata {
  const record = createMetadata()
  for (const [key, item] of entries) {
    if (isSpent(budget)) break
    const name = String(key)
    budget.text += name.length
    const copy = copyValue(item, depth + 1, budget)
    if (copy !== undefined) record[name] = copy
  }
  return record
}

function copyDate(date: Date, budget: Budget): JsonValue | undefined {
  if (!Number.isNaN(date.getTime())) return date.toISOString().replace(/\.000(?=Z|[+-]|$)/, '')
  budget.onProblem('value-refused', 'expected a date, got one that does not exist')
  return undefined
}

function isSpent(budget: Budget): boolean {
  return budget.nodes > MAX_NODES || budget.text > MAX_TEXT
}

function refuse(budget: Budget, what: string): undefined {
  if (!budget.exceeded.has(what))
    budget.onProblem('metadata-too-large', `metadata has ${what}; the rest is left out`)
  budget.exceeded.add(what)
  return undefined
}
