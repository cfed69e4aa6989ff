// Numbers that would not arrive as they were written: a whole number past 2^53 is rounded when JSON is read,
// and one past 1.8e308 becomes infinite, which JSON writes as `null`. A tool that asks for a whole number
// gets exactly the one that was meant, or none.
import type { AllowedTypes } from './allowed-types.ts'

/** Added beside each `type` that asks for a whole number. */
export const WHOLE_KEYWORD = 'x-rye-whole'
/** Added to each part of a schema that accepts whole numbers and text. */
export const TEXT_KEYWORD = 'x-rye-text'

export const WHOLE_RANGE = `a whole number from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`

/**
 * Marks a schema that asks for whole numbers, in place. One that accepts any number does not ask for them.
 * `allowed` says what it accepts, taking all of its parts together.
 */
export function markWhole(schema: Record<string, unknown>, allowed: AllowedTypes): void {
  // The author's own use of these keywords does not count.
  delete schema[WHOLE_KEYWORD]
  delete schema[TEXT_KEYWORD]
  const types: readonly unknown[] = Array.isArray(schema.type) ? schema.type : [schema.type]
  if (types.includes('integer') && !types.includes('number')) schema[WHOLE_KEYWORD] = true
  if (allowed?.has('integer') && allowed.has('string')) schema[TEXT_KEYWORD] = true
}

/** False for a whole number that cannot be kept exactly. Anything else is left for `type` to refuse. */
export function isKept(value: unknown): boolean {
  return !Number.isInteger(value) || Number.isSafeInteger(value)
}

/** Digits of a whole number that metadata keeps as text. */
export function isLargeWhole(value: unknown): value is string {
  return typeof value === 'string' && /^-?\d{16,}$/.test(value) && !Number.isSafeInteger(Number(value))
}

export function isTooLarge(value: unknown): boolean {
  return value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY
}

export const TOO_LARGE = 'a number that is too large to keep'
export const TOO_LARGE_FAULT = `expected a number below 1.8e308, got ${TOO_LARGE}`

export const NOT_KEPT = `expected ${WHOLE_RANGE}, got one beyond, which cannot be kept exactly`

/**
 * The path of the first number that is too large, such as `/sizes/0`. The depth of parameters is bounded by
 * now.
 */
export function findTooLarge(value: unknown, path = ''): string | undefined {
  if (isTooLarge(value)) return path || '/'
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, entry] of Object.entries(value)) {
    const found = findTooLarge(entry, `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    if (found !== undefined) return found
  }
  return undefined
}
