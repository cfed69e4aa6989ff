// The one error of the query language: where the text stops making sense, what was expected there, what was found.
import { AppError } from '../base/index.ts'

export interface Slip {
  /** UTF-16 position in the query text. */
  readonly offset: number
  readonly expected: string
  readonly got: string
}

export function querySlip(slip: Slip): AppError {
  const { offset, expected, got } = slip
  return new AppError('QUERY_SYNTAX', `expected ${expected} at offset ${offset}, got ${got}`, {
    hint: 'a query is words, "phrases" and wild*cards, joined by AND, OR, NOT in upper case and ( groups )',
    details: { offset, expected },
  })
}
