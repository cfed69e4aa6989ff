// The argument vector of a process. There is no shell, so a caller's text can become more than text only by
// looking like an option. An argument that starts with a caller's text is refused if it begins with `-`,
// unless `--` comes before it. `--name={value}` is always safe.
import { AppError, type JsonValue } from '../../base/index.ts'
import {
  expandPieces,
  findValue,
  type Piece,
  printValue,
  type TemplateScope,
  wholeName,
} from '../configuration/template.ts'

/** Linux allows 128 KiB for one argument; longer parameters are passed on standard input only. */
export const MAX_ARGUMENT_BYTES = 96 * 1024

export function expandArguments(
  declared: readonly string[],
  scope: TemplateScope,
  mostBytes: number = MAX_ARGUMENT_BYTES,
): string[] {
  const vector: string[] = []
  for (const entry of declared) {
    for (const pieces of expandEntry(entry, scope)) {
      const text = pieces.map(piece => piece.text).join('')
      const first = pieces.find(piece => piece.text !== '')
      if (first?.from === 'caller' && text.startsWith('-') && !vector.includes('--')) throw flagLike(entry)
      vector.push(checkArgument(text, entry, mostBytes))
    }
  }
  return vector
}

/** Expands a text that only configuration may decide: which program runs, and where. */
export function expandFixed(declared: string, what: string, scope: TemplateScope): string {
  const pieces = expandPieces(declared, scope)
  if (pieces.some(piece => piece.from === 'caller')) {
    throw new AppError(
      'CONFIG_INVALID',
      `\`${what}\` is \`${declared}\`: it cannot be decided by a parameter`,
    )
  }
  return checkArgument(pieces.map(piece => piece.text).join(''), what)
}

/** One argument for most entries, none for an absent parameter, several for a list. */
function expandEntry(entry: string, scope: TemplateScope): Piece[][] {
  const name = wholeName(entry)
  if (name === undefined) return [expandPieces(entry, scope)]
  const found = findValue(name, scope)
  if (found === undefined) return scope.absent.has(name) ? [] : [[{ text: entry, from: 'configuration' }]]
  const values: JsonValue[] = Array.isArray(found.value) ? found.value : [found.value]
  // A number cannot be an option.
  return values.map(value => [
    { text: printValue(value), from: typeof value === 'number' ? 'configuration' : found.from },
  ])
}

/** Returns the text, or throws if it cannot be an argument of a process. */
export function checkArgument(text: string, entry: string, mostBytes: number = MAX_ARGUMENT_BYTES): string {
  if (text.includes('\0'))
    throw new AppError('PARAMETERS_INVALID', `\`${entry}\`: an argument contains a NUL character`)
  if (Buffer.byteLength(text) > mostBytes) {
    throw new AppError('PARAMETERS_INVALID', `\`${entry}\`: an argument is longer than ${mostBytes} bytes`, {
      hint: 'pass large values on standard input',
    })
  }
  return text
}

function flagLike(entry: string): AppError {
  return new AppError(
    'PARAMETERS_INVALID',
    `the value for \`${entry}\` begins with \`-\` and would be read as an option`,
    {
      hint: 'in the tool, put `--` before the argument or write it as `--name={value}`',
    },
  )
}
