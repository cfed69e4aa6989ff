// The data of a run for reading: text of several lines as lines, everything else as JSON. Pure.

export interface DataPart {
  /** Empty for data without a name of its own. */
  readonly name: string
  readonly text: string
  readonly language: string
}

/** Text of several lines, such as a traceback, would be one long line in JSON. */
export function splitData(data: unknown): DataPart[] {
  if (data === undefined) return []
  if (typeof data === 'string') return [{ name: '', text: data, language: '' }]
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return [jsonOf(data)]
  const entries = Object.entries(data)
  const isLines = (value: unknown): value is string =>
    typeof value === 'string' && value.trim().includes('\n')
  const rest = entries.filter(([, value]) => !isLines(value))
  return [
    ...(rest.length > 0 || entries.length === 0 ? [jsonOf(Object.fromEntries(rest))] : []),
    ...entries.flatMap(([name, value]) => (isLines(value) ? [{ name, text: value, language: '' }] : [])),
  ]
}

function jsonOf(data: unknown): DataPart {
  return { name: '', text: JSON.stringify(data, null, 2), language: 'json' }
}
