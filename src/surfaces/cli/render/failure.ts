// A failure for a person: what happened, the problems to fix, the output of a failed tool, and the hint.
import { countOf, isRecord, printVisibleJson } from '../../../base/index.ts'
import { cell } from './columns.ts'

/** Long output is cut at the start, since its end usually says why. */
const MOST_LINES = 40

export function renderFailure(answer: Readonly<Record<string, unknown>>): string {
  const { issues: listed, problems, unsigned, tampered, conflicts } = answer
  const issues = [listed, problems, unsigned, tampered, conflicts].find(Array.isArray) ?? []
  const output = outputOf(answer.data)
  return [
    `error: ${cell(answer.error)}`,
    ...issues.slice(0, MOST_LINES).map(issue => `  - ${cell(issue)}`),
    ...(issues.length > MOST_LINES ? [`  - and ${issues.length - MOST_LINES} more`] : []),
    ...(output === '' ? [] : [lastLines(output)]),
    ...(answer.warning === undefined ? [] : [`warning: ${cell(answer.warning)}`]),
    ...(answer.hint === undefined ? [] : [`hint: ${cell(answer.hint)}`]),
  ].join('\n')
}

/** What a failed run left: a traceback, else its standard error and output, else its answer. */
function outputOf(data: unknown): string {
  if (typeof data === 'string') return data
  if (!isRecord(data)) return ''
  if (typeof data.traceback === 'string') return join(data.stderr, data.traceback)
  if ('stdout' in data || 'stderr' in data) return join(data.stdout, data.stderr)
  const { success: _success, error: _error, ...rest } = data
  return Object.keys(rest).length === 0 ? '' : printVisibleJson(rest)
}

function join(...texts: unknown[]): string {
  return texts
    .filter(text => typeof text === 'string' && text.trim() !== '')
    .map(text => String(text).trimEnd())
    .join('\n')
}

function lastLines(text: string): string {
  const lines = text.split('\n')
  const cut = lines.length - MOST_LINES
  const shown = cut > 0 ? [`... ${countOf(cut, 'line')} before`, ...lines.slice(cut)] : lines
  return shown.map(line => `  | ${line}`).join('\n')
}
