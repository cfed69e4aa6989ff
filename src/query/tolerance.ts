// How far off a match may be: `fuzzy` in edits of a word, `proximity` in words between two terms. Each is
// given as a number, as true or false, or as `{enabled, max_distance}`.
import { AppError, describeType, isRecord, quoteText } from '../base/index.ts'

interface Tolerance {
  readonly name: 'fuzzy' | 'proximity'
  readonly fallback: number
  readonly most: number
}

// Four edits turn most short words into each other, and each fuzzy term scans the whole dictionary of a
// library.
const FUZZY: Tolerance = { name: 'fuzzy', fallback: 2, most: 4 }
const PROXIMITY: Tolerance = { name: 'proximity', fallback: 5, most: 1000 }

/** The edits allowed in a word, from 0 (none) to 4; true means 2. Throws `INVALID_INPUT`. */
export function readFuzzy(value: unknown): number {
  return readTolerance(value, FUZZY) ?? 0
}

/**
 * The words allowed between terms, from 0 to 1000; true means 5; undefined when proximity is off. Throws
 * `INVALID_INPUT`.
 */
export function readProximity(value: unknown): number | undefined {
  return readTolerance(value, PROXIMITY)
}

function readTolerance(value: unknown, tolerance: Tolerance): number | undefined {
  if (value === undefined || value === null || value === false) return undefined
  if (value === true) return tolerance.fallback
  if (typeof value === 'number') return checkDistance(value, tolerance)
  if (!isRecord(value)) {
    throw invalid(
      tolerance,
      `expected a number, true, false or {enabled, max_distance}, got ${describeType(value)}`,
    )
  }
  for (const key of Object.keys(value)) {
    if (key !== 'enabled' && key !== 'max_distance') {
      throw invalid(tolerance, `expected only enabled and max_distance, got ${quoteText(key)}`)
    }
  }
  const { enabled, max_distance: distance } = value
  if (enabled !== undefined && typeof enabled !== 'boolean') {
    throw invalid(tolerance, `expected enabled to be true or false, got ${describeType(enabled)}`)
  }
  // A distance alone turns it on; an empty object, the default of older callers, does not.
  if (enabled === false || (enabled === undefined && distance === undefined)) return undefined
  return distance === undefined ? tolerance.fallback : checkDistance(distance, tolerance)
}

function checkDistance(distance: unknown, tolerance: Tolerance): number {
  if (
    typeof distance === 'number' &&
    Number.isInteger(distance) &&
    distance >= 0 &&
    distance <= tolerance.most
  ) {
    return distance
  }
  const got = typeof distance === 'number' ? distance : describeType(distance)
  throw invalid(tolerance, `expected a whole number from 0 to ${tolerance.most}, got ${got}`)
}

function invalid(tolerance: Tolerance, problem: string): AppError {
  return new AppError('INVALID_INPUT', `invalid \`${tolerance.name}\`: ${problem}`)
}
