// Warnings, printed below what they are about.
import type { Style } from '../terminal.ts'
import { cell } from './columns.ts'

export function warningLines(warnings: unknown, style: Style): string[] {
  return Array.isArray(warnings) ? warnings.map(warning => style.yellow(`  warning: ${cell(warning)}`)) : []
}
