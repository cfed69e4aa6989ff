// Collects the diagnostics of a skill while it is read: each file reports under its own path, all into one list.
import type { Diagnostic } from '../../base/index.ts'
import type { SkillDiagnostic } from './records.ts'

export interface Place {
  readonly line: number
  readonly column: number
}

export interface FileReport {
  error(code: string, message: string, place?: Place): void
  warning(code: string, message: string, place?: Place): void
  /** Adds the diagnostics of a parser. */
  add(diagnostics: readonly Diagnostic[]): void
}

const START: Place = { line: 1, column: 1 }

export function createFileReport(path: string, list: SkillDiagnostic[]): FileReport {
  const push = (severity: Diagnostic['severity'], code: string, message: string, { line, column }: Place) => {
    list.push({ path, severity, code, message, line, column })
  }
  return {
    error: (code, message, place = START) => push('error', code, message, place),
    warning: (code, message, place = START) => push('warning', code, message, place),
    add: diagnostics => {
      for (const found of diagnostics) push(found.severity, found.code, found.message, found)
    },
  }
}

/** Sorts by file, position and code, so the order in which files were read does not matter. */
export function sortDiagnostics(list: readonly SkillDiagnostic[]): SkillDiagnostic[] {
  return [...list].sort(
    (a, b) =>
      compareText(a.path, b.path) ||
      a.line - b.line ||
      a.column - b.column ||
      compareText(a.code, b.code) ||
      compareText(a.message, b.message),
  )
}

export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
