// The answer of `search`: one hit below the other, and on request why each was found.
import { isRecord } from '../../../base/index.ts'
import type { Terminal } from '../terminal.ts'
import { cell, hangingIndent } from './columns.ts'
import type { Renderer } from './renderer.ts'
import { trustMark } from './trust.ts'

export const renderSearch: Renderer = (answer, terminal) => {
  const { style } = terminal
  const results = Array.isArray(answer.results) ? answer.results.filter(isRecord) : []
  const lines: string[] = []
  if (answer.warning) lines.push(style.yellow(`warning: ${cell(answer.warning)}`), '')
  for (const result of results) {
    const shadow = result.shadowed_by ? style.dim(` shadowed by ${cell(result.shadowed_by)}`) : ''
    const shadows = Array.isArray(result.shadows)
      ? style.dim(` shadows ${result.shadows.map(spaceOf).join(', ')}`)
      : ''
    const partial = result.partial ? style.dim(' partial') : ''
    const copies = result.copies ? style.dim(` ${cell(result.copies)} copies`) : ''
    const bundle = result.package ? style.dim(` ${cell(result.package)}`) : ''
    lines.push(
      `${style.bold(`${cell(result.type)}:${cell(result.id)}`)}  ${style.dim(`${Number(result.score).toFixed(2)} ${cell(result.source)}`)}${bundle} ${trustMark(result.trust, style)}${shadow}${shadows}${partial}${copies}`,
    )
    const about = cell(result.description) || cell(result.preview)
    if (about) lines.push(hangingIndent('  ', about.slice(0, 160), terminal.columns))
    if (isRecord(result.why)) lines.push(...reasonLines(result.why, result.score, terminal))
  }
  if (results.length === 0 && Number(answer.total) > 0)
    lines.push(`nothing at this offset; ${cell(answer.total)} found`)
  else if (results.length === 0) lines.push(`nothing found${answer.hint ? `; ${cell(answer.hint)}` : ''}`)
  else lines.push('', style.dim(countLine(answer, results.length)))
  return lines.join('\n')
}

function reasonLines(
  why: Readonly<Record<string, unknown>>,
  score: unknown,
  { columns, style }: Terminal,
): string[] {
  const parts = ['words', 'meaning'].flatMap(part =>
    typeof why[part] === 'number' ? [`${part} ${why[part].toFixed(2)}`] : [],
  )
  const sum = parts.length > 1 ? `${parts.join(' + ')} = ${Number(score).toFixed(2)}` : parts[0]
  const fields = Object.entries(isRecord(why.fields) ? why.fields : {}).map(
    ([field, words]) => `${field}: ${Array.isArray(words) ? words.map(cell).join(', ') : cell(words)}`,
  )
  const rows = [
    ['tier', cell(why.tier)],
    ['score', sum ?? 'the name decides'],
    ['fields', fields.join('; ')],
  ]
  return rows
    .filter(([, text]) => text !== '')
    .map(([name, text]) => style.dim(hangingIndent(`    ${name!.padEnd(8)}`, text!, columns)))
}

function spaceOf(shadow: unknown): string {
  return isRecord(shadow) ? cell(shadow.space) : cell(shadow)
}

function countLine(answer: Readonly<Record<string, unknown>>, shown: number): string {
  const offset = Number(answer.offset ?? 0)
  const weaker = Number(answer.weaker ?? 0)
  const total = Number(answer.total ?? shown) - weaker
  const rest = weaker > 0 ? `; ${weaker} weaker left out, --match any shows them` : ''
  if (shown === total) return `${total} found${rest}`
  const where = answer.space === 'registry' ? '--source registry ' : ''
  const more = offset + shown < total ? `; more with ${where}--offset ${offset + shown}` : ''
  return `${offset + 1}-${offset + shown} of ${total}${more}${rest}`
}
