// Copies what a library made of a file into plain JSON values: null prototypes, no dates, no cycles, bounded size.
// Every value of every parser passes here, so a key such as `__proto__` is data and an alias bomb is a diagnostic.
import { type Diagnostic, isRecord, type JsonValue } from '../base/index.ts'
import type { Metadata } from './types.ts'

const MAX_DEPTH = 100
const MAX_NODES = 20_000
/** Characters in all strings and keys. Aliases share a string, but whatever is printed repeats it. */
const MAX_TEXT = 10_000_000
/** Once this many fields have exceeded a limit, the rest is not read, since each is an error. */
const MAX_LEFT_OUT = 100

/** Called for each value that could not be kept as it was, with the fields that lost something. */
export type OnProblem = (
  severity: Diagnostic['severity'],
  code: string,
  message: string,
  lost?: readonly string[],
) => void

interface Budget {
  nodes: number
  text: number
  leftOut: number
}

interface Copying {
  readonly budget: Budget
  /** Keys and indexes that lead to the current value. */
  readonly path: (string | number)[]
  readonly onProblem: OnProblem
}

/** Ends the copying of one top-level value. */
class LimitExceeded extends Error {}

export function createMetadata(): Metadata {
  return Object.create(null)
}

/** Copies a record; anything else gives empty metadata. A field that exceeds a limit is left out whole. */
export function toMetadata(value: unknown, onProblem: OnProblem): Metadata {
  const metadata = createMetadata()
  if (!isRecord(value)) return metadata
  const budget: Budget = { nodes: 0, text: 0, leftOut: 0 }
  const entries = Object.entries(value)
  for (const [index, [key, item]] of entries.entries()) {
    if (budget.leftOut >= MAX_LEFT_OUT) {
      const rest = entries.slice(index, index + MAX_LEFT_OUT).map(([name]) => name)
      onProblem('error', 'metadata-too-large', `\`${key}\` and all fields after it are left out`, rest)
      break
    }
    const copy = copyField({ budget, path: [key], onProblem }, item)
    if (copy !== undefined) metadata[key] = copy
  }
  return metadata
}

/** Copies one value; `undefined` when it cannot be kept. */
export function toJson(value: unknown, onProblem: OnProblem): JsonValue | undefined {
  return copyField({ budget: { nodes: 0, text: 0, leftOut: 0 }, path: [], onProblem }, value)
}

/** The diagnostic for a whole number past 2^53. */
export const TOO_LARGE = {
  code: 'number-too-large',
  message: 'an integer past 2^53 is kept as text',
} as const

/** Whole numbers with more digits are not converted, as in Python, since that would be slow. */
export const MAX_DIGITS = 4_300

/** A whole number, or its decimal digits as text when a number could not hold it exactly: the same in every format. */
export function toExact(value: bigint): number | string {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value.toString()
}

function copyField(copying: Copying, value: unknown): JsonValue | undefined {
  const { budget, onProblem } = copying
  const before = { ...budget }
  const [field] = copying.path
  try {
    return copyValue(value, copying)
  } catch (thrown) {
    if (!(thrown instanceof LimitExceeded)) throw thrown
    Object.assign(budget, before, { leftOut: before.leftOut + 1 })
    const message = `\`${field ?? 'value'}\` is left out: ${thrown.message}`
    onProblem('error', 'metadata-too-large', message, field === undefined ? [] : [String(field)])
    return undefined
  }
}

function copyValue(value: unknown, copying: Copying): JsonValue | undefined {
  const { budget, path } = copying
  if (++budget.nodes > MAX_NODES) throw new LimitExceeded(`more than ${MAX_NODES} values`)
  if (path.length > MAX_DEPTH) throw new LimitExceeded(`more than ${MAX_DEPTH} levels`)
  switch (typeof value) {
    case 'string':
      spendText(value, budget)
      return value
    case 'number':
      // JSON has no negative zero.
      if (Number.isFinite(value)) return value === 0 ? 0 : value
      tell(copying, 'warning', 'number-not-finite', `\`${value}\` is kept as text`)
      return String(value)
    case 'bigint':
      return copyBigInt(value, copying)
    case 'boolean':
      return value
    case 'object':
      return value === null ? null : copyObject(value, copying)
    case 'undefined':
      return undefined
    default:
      tell(copying, 'error', 'value-refused', `a value of type \`${typeof value}\` is not data`)
      return undefined
  }
}

function copyBigInt(value: bigint, copying: Copying): JsonValue {
  const kept = toExact(value)
  if (typeof kept === 'string') tell(copying, 'warning', TOO_LARGE.code, TOO_LARGE.message)
  return kept
}

function copyObject(value: object, copying: Copying): JsonValue | undefined {
  if (Array.isArray(value) || value instanceof Set) return copyList(value, copying)
  if (value instanceof Map) return copyEntries(value, copying)
  if (value instanceof Date) return copyDate(value, copying)
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) {
    tell(copying, 'error', 'binary-refused', 'binary data is not metadata')
    return undefined
  }
  return copyEntries(Object.entries(value), copying)
}

function copyList(items: Iterable<unknown>, copying: Copying): JsonValue[] {
  const list: JsonValue[] = []
  let index = 0
  for (const item of items) {
    const copy = copyAt(index++, item, copying)
    if (copy !== undefined) list.push(copy)
  }
  return list
}

function copyEntries(entries: Iterable<[unknown, unknown]>, copying: Copying): Metadata {
  const record = createMetadata()
  for (const [key, item] of entries) {
    const name = String(key)
    spendText(name, copying.budget)
    const copy = copyAt(name, item, copying)
    if (copy !== undefined) record[name] = copy
  }
  return record
}

function copyAt(step: string | number, item: unknown, copying: Copying): JsonValue | undefined {
  copying.path.push(step)
  const copy = copyValue(item, copying)
  copying.path.pop()
  return copy
}

function copyDate(date: Date, copying: Copying): JsonValue | undefined {
  if (!Number.isNaN(date.getTime())) return date.toISOString().replace(/\.000(?=Z|[+-]|$)/, '')
  tell(copying, 'error', 'value-refused', 'expected a date, got one that does not exist')
  return undefined
}

function spendText(text: string, budget: Budget): void {
  budget.text += text.length
  if (budget.text > MAX_TEXT) throw new LimitExceeded(`more than ${MAX_TEXT} characters`)
}

function tell(
  { path, onProblem }: Copying,
  severity: Diagnostic['severity'],
  code: string,
  message: string,
): void {
  const [field] = path
  // A warning is about a value that is kept in another form, so nothing is lost.
  const lost = severity === 'error' && field !== undefined ? [String(field)] : []
  onProblem(severity, code, field === undefined ? message : `at \`${path.join('.')}\`: ${message}`, lost)
}
