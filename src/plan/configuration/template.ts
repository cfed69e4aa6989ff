// `${VAR}`, `${VAR:-default}` and `{name}` in declared configuration, expanded in one pass: what is inserted
// is not expanded again, so a caller's text cannot name a variable, another parameter or a place on disk. An
// unknown `{x}` stays as it is.
import { AppError, isRecord, type JsonValue } from '../../base/index.ts'

export interface TemplateScope {
  /** Environment variables that configuration may name. */
  readonly variables: ReadonlyMap<string, string>
  /** Our own names (`tool_path` ...). They win over a parameter of the same name. */
  readonly names: ReadonlyMap<string, JsonValue>
  /** The caller's validated parameters. */
  readonly parameters: ReadonlyMap<string, JsonValue>
  /** Parameters of the schema that the caller left out. They expand to empty text. */
  readonly absent: ReadonlySet<string>
}

/** A part of an expanded text, and who chose it. */
export interface Piece {
  readonly text: string
  readonly from: 'configuration' | 'caller'
}

/**
 * Expands every string in a value. A string that is exactly one `{name}` becomes the named value itself, or
 * undefined if it is absent.
 */
export function expandValue(value: JsonValue, scope: TemplateScope): JsonValue | undefined {
  if (typeof value === 'string') {
    const whole = wholeName(value)
    if (whole !== undefined && scope.absent.has(whole) && !scope.names.has(whole)) return undefined
    const found = whole === undefined ? undefined : findValue(whole, scope)
    return found === undefined ? expandText(value, scope) : found.value
  }
  if (Array.isArray(value)) return value.map(entry => expandValue(entry, scope)).filter(isPresent)
  if (!isRecord(value)) return value
  const expanded: { [key: string]: JsonValue } = Object.create(null)
  for (const [key, entry] of Object.entries(value)) {
    const made = expandValue(entry, scope)
    if (made !== undefined) expanded[key] = made
  }
  return expanded
}

export function expandText(text: string, scope: TemplateScope): string {
  return expandPieces(text, scope)
    .map(piece => piece.text)
    .join('')
}

/**
 * The text as pieces, so that code that builds an argument vector or a URL knows which parts a caller chose.
 */
export function expandPieces(text: string, scope: TemplateScope): Piece[] {
  const pieces: Piece[] = []
  let from = 0
  for (const match of text.matchAll(MARK)) {
    const piece = expandMark(match, scope)
    if (piece === undefined) continue
    pieces.push({ text: text.slice(from, match.index), from: 'configuration' }, piece)
    from = match.index + match[0].length
  }
  pieces.push({ text: text.slice(from), from: 'configuration' })
  return pieces.filter(piece => piece.text !== '' || piece.from === 'caller')
}

/** The name, if the text is exactly one `{name}`. */
export function wholeName(text: string): string | undefined {
  return /^\{([A-Za-z_][\w.-]{0,127})\}$/.exec(text)?.[1]
}

/** The value of a name, and who chose it. */
export function findValue(
  name: string,
  scope: TemplateScope,
): { value: JsonValue; from: Piece['from'] } | undefined {
  const own = scope.names.get(name)
  if (own !== undefined) return { value: own, from: 'configuration' }
  const given = scope.parameters.get(name)
  return given === undefined ? undefined : { value: given, from: 'caller' }
}

/** Text as it is, anything else as JSON. */
export function printValue(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

// Both alternatives are bounded and begin differently, so matching is linear in the text.
const MARK = /\$\{([A-Za-z_]\w{0,127})(?::-([^{}]{0,1024}))?\}|\{([A-Za-z_][\w.-]{0,127})\}/g

function expandMark(match: RegExpExecArray, scope: TemplateScope): Piece | undefined {
  const [mark, variable, fallback, name] = match
  if (variable !== undefined) {
    const value = scope.variables.get(variable)
    // As in a shell, `:-` also replaces an empty value.
    const text = value === undefined || (value === '' && fallback !== undefined) ? fallback : value
    if (text !== undefined) return { text, from: 'configuration' }
    throw new AppError('CONFIG_INVALID', `\`${mark}\` names a variable that is not set or not declared`, {
      hint: variable.startsWith('RYE_')
        ? `name it in \`env_config.interpreter.var\`, or write \`\${${variable}:-default}\``
        : `declare it under \`secrets: [${variable}]\` and set it, or write \`\${${variable}:-default}\``,
    })
  }
  const found = findValue(name!, scope)
  if (found !== undefined) return { text: printValue(found.value), from: found.from }
  return scope.absent.has(name!) ? { text: '', from: 'caller' } : undefined
}

function isPresent(value: JsonValue | undefined): value is JsonValue {
  return value !== undefined
}
