// Finds where a text sets a field. Parsers return values without places. But a field has few spellings, and
// the least indented line with one of them is the place.
import { LineMap } from '../base/index.ts'
import type { Extractor } from './types.ts'

export interface Place {
  /** One-based, as in diagnostics. */
  readonly line: number
  readonly column: number
}

/** `KEY:`, `"KEY":`, `KEY =`, `export const KEY =`, `# KEY =`, or the attribute `KEY="..."` of an element. */
const SET =
  /^([ \t]*)(?:(?:#|\/\/)[ \t]*)?(?:(?:export[ \t]+)?(?:const|let|var)[ \t]+)?["']?([\w.-]+)["']?[ \t]*[:=]/
const ATTRIBUTE = /[ \t]([\w-]+)=["']/g

/** Undefined when the text does not set the field, for example when it is missing. */
export function locateField(
  text: string,
  { rules }: Pick<Extractor, 'rules'>,
  field: string,
): Place | undefined {
  const name = /^[^.[]+/.exec(field)?.[0] ?? field
  const sources = (rules.get(name) ?? []).flatMap(rule => ('key' in rule ? [rule.key] : []))
  const keys = new Set([name, ...sources, ...[name, ...sources].map(key => `__${key}__`)])
  let best: { indent: number; offset: number } | undefined
  let offset = 0
  for (const line of text.split('\n')) {
    const found = findIn(line, keys)
    if (found && (best === undefined || found.indent < best.indent))
      best = { indent: found.indent, offset: offset + found.at }
    offset += line.length + 1
  }
  return best && new LineMap(text).position(best.offset)
}

function findIn(line: string, keys: ReadonlySet<string>): { indent: number; at: number } | undefined {
  const set = SET.exec(line)
  if (set && keys.has(set[2]!)) return { indent: set[1]!.length, at: line.indexOf(set[2]!, set[1]!.length) }
  const indent = line.length - line.trimStart().length
  if (line[indent] !== '<') return undefined
  const attribute = [...line.matchAll(ATTRIBUTE)].find(([, name]) => keys.has(name!))
  return attribute && { indent, at: attribute.index + 1 }
}
