// What all TOML documents about keys share: how they are read, checked and printed.
import { AppError, firstLineOf, isRecord, quoteText, shortenText } from '../base/index.ts'

/** A document about a key is a few hundred bytes. */
export const MAX_IDENTITY_BYTES = 16_384
const MAX_FIELD = 1024

export async function readToml(text: string): Promise<unknown> {
  const { parse } = await import('smol-toml')
  try {
    return parse(text)
  } catch (error) {
    throw invalidKey(`not valid TOML: ${shortenText(firstLineOf(error))}`)
  }
}

export function onlyKeys(
  value: unknown,
  allowed: ReadonlySet<string>,
  what: string,
): Record<string, unknown> {
  if (!isRecord(value)) throw invalidKey(`expected ${what} to be a table`)
  const extra = Object.keys(value).find(key => !allowed.has(key))
  if (extra !== undefined) throw invalidKey(`unexpected key ${quoteText(extra)} in ${what}`)
  return value
}

export function textField(fields: Record<string, unknown>, name: string, fallback?: string): string {
  const value = fields[name] ?? fallback
  if (typeof value !== 'string' || value.length > MAX_FIELD)
    throw invalidKey(`expected \`${name}\` to be a string of at most ${MAX_FIELD} characters`)
  return value
}

/** Escaped besides what JSON escapes: characters that terminals obey, or that a reader cannot see. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/** A TOML basic string. JSON's escapes are TOML's; DEL and lone surrogates are the two differences. */
export function quoteToml(text: string): string {
  return JSON.stringify(text.replace(/\p{Cs}/gu, '\ufffd')).replace(
    HIDDEN,
    character => `\\U${character.codePointAt(0)!.toString(16).padStart(8, '0')}`,
  )
}

/** A PEM contains neither quotes nor backslashes, so it needs no escapes inside triple quotes. */
export function printPem(pem: string): string[] {
  return ['[public_key]', `pem = """\n${pem}"""`]
}

export function readPem(table: unknown): string {
  const { pem } = onlyKeys(table, new Set(['pem']), '`public_key`')
  if (typeof pem !== 'string') throw invalidKey('expected `pem` in `[public_key]`')
  return pem
}

export function invalidKey(message: string): AppError {
  return new AppError('KEY_INVALID', message)
}
