// An item states its own name and category, and both must agree with its path. This rewrites them for a new
// id where they are a key and a value alone on a line, or the tags of a directive. Anything written
// differently stays, and validation reports it.
import { categoryOf, nameOf, type SignedType } from '../../../item/index.ts'

export function rewriteIdentity(text: string, type: SignedType, from: string, to: string): string {
  let rewritten = text
  if (type === 'directive') {
    rewritten = replaceFirst(rewritten, /(<directive\b[^>]*\bname=")([^"]*)(")/, nameOf(from), nameOf(to))
    rewritten = replaceFirst(rewritten, /(<category>)([^<]*)(<\/category>)/, categoryOf(from), categoryOf(to))
  }
  const changes = [
    ['category', categoryOf(from), categoryOf(to)],
    ['tool_id', from, to],
    ...(type === 'tool' ? [] : ([['name', nameOf(from), nameOf(to)]] as const)),
  ] as const
  for (const [key, old, next] of changes) rewritten = replaceFirst(rewritten, statementOf(key), old, next)
  return rewritten
}

/**
 * `category: ops`, `__category__ = "ops"`, `# __category__ = "ops"`, `export const __category__ = 'ops'`,
 * `"category": "ops",`.
 */
function statementOf(key: string): RegExp {
  return new RegExp(
    `^([ \\t]*(?:#[ \\t]*|export[ \\t]+const[ \\t]+)?["']?(?:__)?${key}(?:__)?["']?[ \\t]*[:=][ \\t]*)([^\\s,;]*)([ \\t]*[,;]?[ \\t]*\\r?)$`,
    'm',
  )
}

/** Replaces the first match whose value is `old`, and keeps its quotes. */
function replaceFirst(text: string, pattern: RegExp, old: string, next: string): string {
  if (old === next) return text
  let isDone = false
  return text.replace(new RegExp(pattern.source, `${pattern.flags}g`), (whole, before, value, after) => {
    const [quote, bare] = unquote(value)
    if (isDone || bare !== old) return whole
    isDone = true
    const needsQuotes = quote === '' && next === '' && !before.endsWith('>') && !before.endsWith('"')
    return `${before}${needsQuotes ? '""' : quote + next + quote}${after}`
  })
}

function unquote(value: string): [quote: string, bare: string] {
  const quote = value.length > 1 && (value[0] === '"' || value[0] === "'") ? value[0] : ''
  return quote !== '' && value.endsWith(quote) ? [quote, value.slice(1, -1)] : ['', value]
}
