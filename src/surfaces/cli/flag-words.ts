// Failures name fields as the MCP tools have them, but a person typed words and flags. The text on the
// terminal uses what they typed; the JSON stays the object that every surface answers with.
import type { Fields } from '../../actions/index.ts'
import { flagName } from './arguments.ts'

interface Command {
  readonly name: string
  readonly fields: Fields
}

/** The failure with its sentences in terms of the command line. */
export function sayWithFlags(
  failure: Readonly<Record<string, unknown>>,
  { name, fields }: Command,
): Readonly<Record<string, unknown>> {
  if (failure.code !== 'INVALID_INPUT' && !MENTIONS_FIELDS.has(String(failure.code))) return failure
  const { error, hint } = failure
  return {
    ...failure,
    ...(typeof error === 'string' && { error: replaceFields(error, fields) }),
    ...(typeof hint === 'string' && {
      hint: hint.startsWith('parameters: ')
        ? `\`rye ${name} --help\` shows what it takes`
        : replaceFields(hint, fields),
    }),
  }
}

/** Codes besides `INVALID_INPUT` whose messages are about the call; those of other codes are about items. */
const MENTIONS_FIELDS: ReadonlySet<string> = new Set(['ITEM_EXISTS', 'NOT_AVAILABLE', 'QUERY_SYNTAX'])

/**
 * Replaces `field` and `field: true` in backticks, unless the word is a value that the caller wrote or could
 * write.
 */
function replaceFields(text: string, fields: Fields): string {
  return text.replaceAll(/(?<!got |mean )`(\w+)(?:: true)?`/g, (whole, name: string) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (!field || field.flag?.hidden) return whole
    return field.flag?.position
      ? `\`${field.flag.value ?? name.toUpperCase()}\``
      : `\`--${flagName(name, field)}\``
  })
}
