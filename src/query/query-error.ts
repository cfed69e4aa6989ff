// The one error of the query language: where the text stops making sense, what was expected there, and what
// was found.
import { AppError } from '../base/index.ts'

interface Problem {
  /** UTF-16 position in the query text. */
  readonly offset: number
  readonly expected: string
  readonly got: string
  /** What the expected thing is for: `to close the group opened at offset 3`. */
  readonly purpose?: string
}

export function queryError(problem: Problem): AppError {
  const { offset, expected, got, purpose } = problem
  const place = purpose ? `at offset ${offset} ${purpose}` : `at offset ${offset}`
  return new AppError('QUERY_SYNTAX', `expected ${expected} ${place}, got ${got}`, {
    hint: 'a query is words, "phrases" and wild*cards, joined by AND, OR, NOT in upper case and ( groups )',
    details: { offset, expected },
  })
}
