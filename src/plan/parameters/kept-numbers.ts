// Numbers that would not arrive as they were written: a whole number past 2^53 is rounded when JSON is read, and one past 1.8e308 is
// infinite, which JSON writes as `null`. A tool that asks for a whole number gets exactly the one that was meant, or none.
import { isRecord } from '../../base/index.ts'

/** Stands beside each `type` that asks for a whole number. */
export const WHOLE_KEYWORD = 'x-rye-whole'

export const WHOLE_RANGE = `a whole number from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`

/** Marks a schema that asks for whole numbers, in place; one that takes any number asks for none. */
export function markWhole(schema: Record<string, unknown>): void {
  const types = typesIn(schema)
  if (types.includes('integer') && !types.includes('number')) schema[WHOLE_KEYWORD] = true
}

/** What is no whole number at all is for `type` to refuse. */
export function isKept(value: unknown): boolean {
  return !Number.isInteger(value) || Number.isSafeInteger(value)
}

export function isTooLarge(value: unknown): boolean {
  return value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY
}

export const TOO_LARGE = 'a number that is too large to keep'
export const TOO_LARGE_FAULT = `expected a number below 1.8e308, got ${TOO_LARGE}`

/** `schema` is the one that asked for it. */
export function notKept(schema: unknown): string {
  const expected = `expected ${WHOLE_RANGE}, got one beyond, which cannot be kept exactly`
  return isRecord(schema) && typesIn(schema).includes('string') ? `${expected}: pass it as text` : expected
}

function typesIn({ type }: Record<string, unknown>): readonly unknown[] {
  return Array.isArray(type) ? type : [type]
}

/** The path of the first number that is too large, `/sizes/0`. Parameters are of bounded depth by now. */
export function findTooLarge(value: unknown, path = ''): string | undefined {
  if (isTooLarge(value)) return path || '/'
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, entry] of Object.entries(value)) {
    const found = findTooLarge(entry, `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    if (found !== undefined) return found
  }
  return undefined
}
