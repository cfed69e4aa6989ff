// What holds of the diagnostics of every parser, whatever the text.
import { expect } from 'vitest'
import type { Diagnostic } from '../../src/base/index.ts'

/** None is a failure of the parser itself, and each lies in the text. */
export function expectInside(diagnostics: readonly Diagnostic[], text: string): void {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)
  for (const { code, line, column } of diagnostics) {
    expect(code).not.toBe('parser-failure')
    expect(line).toBeGreaterThanOrEqual(1)
    expect(line).toBeLessThanOrEqual(lines.length)
    expect(column).toBeGreaterThanOrEqual(1)
    expect(column).toBeLessThanOrEqual(lines[line - 1]!.length + 1)
  }
}
