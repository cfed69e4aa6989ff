// A `.npmrc`, as npm reads it: `key = value`, lists as `key[] = value`, comments, quotes, and `${...}`.

/** The values of each key, in order. For a key that is not a list, the last one counts. */
export type NpmSettings = ReadonlyMap<string, readonly string[]>

export const NO_SETTINGS: NpmSettings = new Map()

type Variables = Readonly<Record<string, string | undefined>>

/** `variables` are those that `${NAME}` may refer to; any other reference stays as written. */
export function parseNpmrc(text: string, variables: Variables = {}): NpmSettings {
  const settings = new Map<string, string[]>()
  for (const line of text.replace(/^\uFEFF/, '').split(/[\r\n]+/)) {
    const trimmed = line.trim()
    if (trimmed === '' || trimmed.startsWith(';') || trimmed.startsWith('#')) continue
    // npm's settings come before any section.
    if (/^\[[^\]]*\]$/.test(trimmed)) break
    const equals = trimmed.indexOf('=')
    const name = expand(readWord(equals === -1 ? trimmed : trimmed.slice(0, equals)), variables)
    const value = equals === -1 ? 'true' : expand(readWord(trimmed.slice(equals + 1)), variables)
    const key = name.endsWith('[]') ? name.slice(0, -2) : name
    settings.set(key, [...(settings.get(key) ?? []), value])
  }
  return settings
}

/** `npm_config_NAME` variables, which npm prefers to any file. */
export function readNpmVariables(variables: Variables): NpmSettings {
  const settings = new Map<string, string[]>()
  for (const [variable, value] of Object.entries(variables)) {
    const name = /^npm_config_(.+)$/i.exec(variable)?.[1]
    if (name === undefined || !value) continue
    settings.set(name.startsWith('//') ? name : name.toLowerCase().replaceAll('_', '-'), [value])
  }
  return settings
}

export function lastOf(settings: NpmSettings, key: string): string | undefined {
  const value = settings.get(key)?.at(-1)
  return value === undefined || value === '' || value === 'null' ? undefined : value
}

/** Removes quotes, or cuts at a comment. */
function readWord(text: string): string {
  const word = text.trim()
  const inner = /^"(.*)"$/s.exec(word)?.[1] ?? /^'(.*)'$/s.exec(word)?.[1]
  if (inner !== undefined) return readQuoted(inner, word.startsWith('"'))
  let read = ''
  for (let at = 0; at < word.length; at++) {
    const character = word[at]!
    if (character === ';' || character === '#') break
    if (character === '\\' && /[\\;#]/.test(word[at + 1] ?? '')) read += word[++at]!
    else read += character
  }
  return read.trim()
}

/** Double quotes contain a JSON string, so that a certificate with `\n` fits on one line. */
function readQuoted(inner: string, isDouble: boolean): string {
  if (!isDouble) return inner
  try {
    return String(JSON.parse(`"${inner}"`))
  } catch {
    return inner
  }
}

/** Expands `${NAME}`, and `${NAME?}` for one that may be missing. A backslash before it prevents that. */
function expand(text: string, variables: Variables): string {
  return text.replace(
    /(\\*)\$\{([^${}?]+)(\?)?\}/g,
    (whole, slashes: string, name: string, optional?: string) => {
      if (slashes.length % 2 === 1) return whole.slice((slashes.length + 1) / 2)
      const own = Object.hasOwn(variables, name) ? variables[name] : undefined
      const value = own ?? (optional ? '' : undefined)
      return value === undefined ? whole : slashes.slice(slashes.length / 2) + value
    },
  )
}
