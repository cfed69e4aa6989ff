// Laws about every parser's diagnostics, whatever the text.
import { expect } from 'vitest'
import type { Diagnostic } from '../../src/base/diagnostic.ts'

/** None is a failure of the parser itself, and each lies in the text. */
export function expectInside(diagnostics: readonly Diagnostic[], text: string): void {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)
  const isInside = ({ code, line, column }: Diagnostic) =>
    code !== 'parser-failure' &&
    line >= 1 &&
    line <= lines.length &&
    column >= 1 &&
    column <= lines[line - 1]!.length + 1
  // Checking each one separately would take longer than reading the text.
  expect(diagnostics.filter(diagnostic => !isInside(diagnostic))).toEqual([])
}
