// Checks on the way from parsed YAML (`unknown`) to an extractor. Every problem is collected with its place; a reader
// returns undefined for what it refused, and the caller drops the whole extractor.
import { type Diagnostic, describeType, escapeHidden, isRecord, nearest, quoteText } from '../base/index.ts'

export interface Shape {
  readonly diagnostics: Diagnostic[]
  error(where: string, message: string): undefined
  /** Members of a mapping; warns about keys that nothing reads. */
  record(where: string, value: unknown, known?: readonly string[]): [string, unknown][]
  list(where: string, value: unknown): unknown[]
  text(where: string, value: unknown): string | undefined
  number(where: string, value: unknown, range: { min: number; max: number }): number | undefined
  /** Absent counts as false. */
  flag(where: string, value: unknown): boolean
  oneOf<T extends string>(where: string, value: unknown, allowed: readonly T[]): T | undefined
}

const MAX_MEMBERS = 256
const MAX_TEXT = 1024

export function createShape(): Shape {
  const diagnostics: Diagnostic[] = []
  const add = (severity: 'error' | 'warning', where: string, message: string): undefined => {
    diagnostics.push({
      severity,
      code: 'extractor-shape',
      message: `${escapeHidden(where, { oneLine: true })}: ${message}`,
      line: 1,
      column: 1,
    })
  }
  const error = (where: string, message: string) => add('error', where, message)
  return {
    diagnostics,
    error,
    record(where, value, known) {
      if (value === undefined) return []
      if (!isRecord(value)) return error(where, `expected a mapping, got ${describeType(value)}`) ?? []
      const members = Object.entries(value)
      if (members.length > MAX_MEMBERS)
        return error(where, `expected at most ${MAX_MEMBERS} keys, got ${members.length}`) ?? []
      for (const [key] of known ? members : []) {
        if (known!.includes(key)) continue
        const close = nearest(key, known!)[0]
        add('warning', where, `unknown key ${quoteText(key)}${close ? `, did you mean \`${close}\`?` : ''}`)
      }
      return members
    },
    list(where, value) {
      if (value === undefined) return []
      if (!Array.isArray(value)) return error(where, `expected a list, got ${describeType(value)}`) ?? []
      if (value.length <= MAX_MEMBERS) return value
      return error(where, `expected at most ${MAX_MEMBERS} entries, got ${value.length}`) ?? []
    },
    text(where, value) {
      if (typeof value !== 'string') return error(where, `expected a string, got ${describeType(value)}`)
      if (value !== '' && value.length <= MAX_TEXT) return value
      return error(where, `expected 1 to ${MAX_TEXT} characters, got ${value.length}`)
    },
    number(where, value, { min, max }) {
      if (typeof value === 'number' && value >= min && value <= max) return value
      return error(where, `expected a number from ${min} to ${max}, got ${quoteText(value)}`)
    },
    flag(where, value) {
      if (value === undefined || typeof value === 'boolean') return value ?? false
      return error(where, `expected true or false, got ${quoteText(value)}`) ?? false
    },
    oneOf(where, value, allowed) {
      const found = allowed.find(entry => entry === value)
      return found ?? error(where, `expected one of ${allowed.join(', ')}, got ${quoteText(value)}`)
    },
  }
}
