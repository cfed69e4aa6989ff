// A failure as a person reads it: the fact, what is to be mended, the evidence of a tool that failed, and the hint.
import { isRecord } from '../../../base/index.ts'
import { cell } from './columns.ts'

/** The end of an output says why; a flood of it says nothing. */
const MOST_LINES = 40

export function renderFailure(answer: Readonly<Record<string, unknown>>): string {
  const issues = Array.isArray(answer.issues) ? answer.issues : []
  const evidence = evidenceIn(answer.data)
  return [
    `error: ${cell(answer.error)}`,
    ...issues.map(issue => `  - ${cell(issue)}`),
    ...(evidence === '' ? [] : [lastLines(evidence)]),
    ...(answer.hint === undefined ? [] : [`hint: ${cell(answer.hint)}`]),
  ].join('\n')
}

/** Where a run left its reasons: a traceback, else its standard error and output, else what it answered. */
function evidenceIn(data: unknown): string {
  if (typeof data === 'string') return data
  if (!isRecord(data)) return ''
  if (typeof data.traceback === 'string') return join(data.stderr, data.traceback)
  if ('stdout' in data || 'stderr' in data) return join(data.stdout, data.stderr)
  const { success: _success, error: _error, ...rest } = data
  return Object.keys(rest).length === 0 ? '' : JSON.stringify(rest, null, 2)
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
  const shown = cut > 0 ? [`... ${cut} lines before`, ...lines.slice(cut)] : lines
  return shown.map(line => `  | ${line}`).join('\n')
}
