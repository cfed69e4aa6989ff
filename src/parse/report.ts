// Collects the diagnostics of one text. The line map is made for the first one, so a clean file needs none.
import { type Diagnostic, firstLineOf, LineMap } from '../base/index.ts'
import type { OnProblem } from './metadata.ts'

export interface Report {
  readonly diagnostics: Diagnostic[]
  /** Fields of the file that could not be kept, or not completely. */
  readonly leftOut: Set<string>
  /** `offset` counts UTF-16 code units of the text. */
  error(code: string, message: string, offset: number): void
  warning(code: string, message: string, offset: number): void
  /** Reports diagnostics at one position. */
  at(offset: number): OnProblem
}

export function createReport(text: string): Report {
  const diagnostics: Diagnostic[] = []
  const leftOut = new Set<string>()
  let lines: LineMap | undefined
  function add(severity: Diagnostic['severity'], code: string, message: string, offset: number): void {
    lines ??= new LineMap(text)
    diagnostics.push({ severity, code, message, ...lines.position(offset) })
  }
  return {
    diagnostics,
    leftOut,
    error: (code, message, offset) => add('error', code, message, offset),
    warning: (code, message, offset) => add('warning', code, message, offset),
    at:
      offset =>
      (severity, code, message, lost = []) => {
        add(severity, code, message, offset)
        for (const field of lost) leftOut.add(field)
      },
  }
}

/** The first line of a thrown error's message, without its capital, full stop and position. */
export function reasonOf(thrown: unknown): string {
  const line = firstLineOf(thrown).replace(/\.$/, '')
  const position = line.lastIndexOf(' (line ')
  const reason = position > 0 ? line.slice(0, position) : line
  // A leading acronym keeps its capitals.
  return /^[A-Z][a-z ]/.test(reason) ? reason[0]!.toLowerCase() + reason.slice(1) : reason
}
