// The file of the user's settings: which keys exist and what each may be. `policy.ts` says what they mean.
import { isAbsolute, join } from 'node:path'
import { AppError, firstLineOf, isRecord, nearest, quoteText, shortenText } from '../base/index.ts'

interface Setting {
  /** The expected value, in words. */
  readonly expected: string
  accepts(value: string): boolean
  /** Whether it is written as a number. */
  readonly isNumber?: true
  /** Whether it is a list of such values. */
  readonly isList?: true
}

/** Settings that are tables of project paths and values. */
const PROJECT_INTERPRETERS = 'execute.project_interpreters'
const PROJECT_CATALOGUES = 'project_catalogues'
export const LIMITS = ['memory_mb', 'processes', 'file_mb'] as const
const COUNT = { expected: 'a whole number above 0', accepts: isCount, isNumber: true } as const
const CATALOGUE = 'an absolute path, or an address without user and password such as `s3://bucket/folder`'
const PATHS = 'a list of absolute paths, or paths that begin with `~/`'

/** Settings with a fixed choice of words. */
const CHOICES = {
  legacy: ['refuse', 'allow'],
  rollback: ['show', 'refuse'],
  'mcp.sign': ['allow', 'deny'],
  'mcp.take_over': ['ask', 'allow', 'refuse'],
  'mcp.grant': ['ask', 'allow', 'refuse'],
  'search.unverified': ['show', 'hide'],
  'search.registry': ['ask', 'named', 'off'],
  'search.meaning': ['on', 'off'],
  'execute.isolation': ['auto', 'bubblewrap', 'process-group'],
  'execute.core_shadowing': ['refuse', 'allow'],
  'execute.script_packages': ['refuse', 'uv'],
} as const

type Choices = { readonly [Key in keyof typeof CHOICES]: (typeof CHOICES)[Key][number] }

const ALLOWANCES = ['allow', 'with-secrets'] as const
type Allowance = (typeof ALLOWANCES)[number]

const SETTINGS: ReadonlyMap<string, Setting> = new Map<string, Setting>([
  ...Object.entries(CHOICES).map(([key, words]) => [key, oneOf(words)] as const),
  ['isolation.readable', { expected: PATHS, accepts: isPath, isList: true }],
  ['isolation.writable', { expected: PATHS, accepts: isPath, isList: true }],
  ...LIMITS.map(name => [`limits.${name}`, COUNT] as const),
  ['embeddings.url', { expected: 'an http or https address', accepts: isAddress }],
  ['embeddings.path', { expected: 'an absolute path, or one that begins with `~/`', accepts: isPath }],
  ['embeddings.model', { expected: 'the name of a model', accepts: value => value.trim() !== '' }],
  ['catalogue', { expected: CATALOGUE, accepts: isCatalogue }],
  [
    PROJECT_CATALOGUES,
    { expected: `a table of absolute paths, each "off" or ${CATALOGUE}`, accepts: () => false },
  ],
  [
    PROJECT_INTERPRETERS,
    { expected: 'a table of absolute paths, each "allow" or "with-secrets"', accepts: () => false },
  ],
  [
    'embeddings.key_env',
    { expected: 'the name of an environment variable', accepts: value => /^[A-Z_][A-Z0-9_]*$/.test(value) },
  ],
])

/** Checked values, by key. */
export class Settings {
  readonly #values = new Map<string, readonly string[]>()
  /** Projects whose interpreters are allowed. */
  readonly interpreters = new Map<string, Allowance>()
  readonly catalogues = new Map<string, string>()

  set(key: string, values: readonly string[]): void {
    this.#values.set(key, values)
  }

  has(key: string): boolean {
    return this.#values.has(key)
  }

  get(key: string): string | undefined {
    return this.#values.get(key)?.[0]
  }

  /** The word that is set, or the default. */
  choose<Key extends keyof Choices>(key: Key, otherwise: Choices[Key]): Choices[Key] {
    const words: { readonly [Name in keyof Choices]: readonly Choices[Name][] } = CHOICES
    return words[key].find(word => word === this.get(key)) ?? otherwise
  }

  list(key: string): readonly string[] {
    return this.#values.get(key) ?? []
  }
}

/** Throws `CONFIG_INVALID` naming file, key and allowed values. */
export async function readSettings(path: string, text: string): Promise<Settings> {
  const { parse } = await import('smol-toml')
  let document: unknown
  try {
    document = parse(text)
  } catch (error) {
    const why = shortenText(firstLineOf(error), 120)
    throw new AppError('CONFIG_INVALID', `\`${path}\` is not valid TOML: ${why}`, { cause: error })
  }
  const settings = new Settings()
  for (const [key, value] of flatten(document)) {
    if (key === PROJECT_INTERPRETERS && isTableOf(value, isAllowance)) {
      for (const [project, allowed] of Object.entries(value))
        settings.interpreters.set(join(project, '.'), allowed)
      continue
    }
    if (key === PROJECT_CATALOGUES && isTableOf(value, isCatalogueOrOff)) {
      for (const [project, uri] of Object.entries(value)) settings.catalogues.set(join(project, '.'), uri)
      continue
    }
    const setting = SETTINGS.get(key)
    if (setting === undefined) {
      const close = nearest(key, SETTINGS.keys())[0]
      throw new AppError('CONFIG_INVALID', `\`${path}\`: unknown key ${quoteText(key)}`, {
        hint: close ? `did you mean \`${close}\`?` : `known keys: ${[...SETTINGS.keys()].join(', ')}`,
      })
    }
    const values = setting.isList ? value : [value]
    const type = setting.isNumber ? 'number' : 'string'
    const isFine = (entry: unknown) => typeof entry === type && setting.accepts(String(entry))
    if (!Array.isArray(values) || !values.every(isFine)) {
      const found = quoteText(JSON.stringify(value) ?? String(value), 120)
      throw new AppError(
        'CONFIG_INVALID',
        `\`${path}\`: expected \`${key}\` to be ${setting.expected}, got ${found}`,
      )
    }
    settings.set(key, values.map(String))
  }
  return settings
}

function oneOf(words: readonly string[]): Setting {
  return { expected: words.map(word => `"${word}"`).join(' or '), accepts: value => words.includes(value) }
}

function isTableOf<Entry extends string>(
  value: unknown,
  accepts: (entry: string) => entry is Entry,
): value is Record<string, Entry> {
  return (
    isRecord(value) &&
    Object.entries(value).every(
      ([project, entry]) => isAbsolute(project) && typeof entry === 'string' && accepts(entry),
    )
  )
}

function isAllowance(value: string): value is Allowance {
  return ALLOWANCES.some(word => word === value)
}

function isCatalogueOrOff(value: string): value is string {
  return value === 'off' || isCatalogue(value)
}

/** Credentials come from the environment: those in an address would be printed with it. */
function isCatalogue(value: string): boolean {
  if (value.length > 1000 || /[\p{Cc}\s]/u.test(value)) return false
  if (isAbsolute(value)) return true
  return /^(?:s3|gs|az):\/\/[^/?#@]+(?:\/[^?#@]*)?$/.test(value)
}

function isPath(value: string): boolean {
  return !value.includes('\0') && (isAbsolute(value) || value.startsWith('~/'))
}

function isCount(value: string): boolean {
  return Number.isSafeInteger(Number(value)) && Number(value) > 0
}

function isAddress(value: string): boolean {
  return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
}

/** `section.key` and value of each setting. A section without any known setting counts as a key. */
function flatten(document: unknown): [string, unknown][] {
  if (!isRecord(document)) throw new Error('unreachable: a TOML document is a table')
  return Object.entries(document).flatMap(([name, value]): [string, unknown][] => {
    const isSection = [...SETTINGS.keys()].some(key => key.startsWith(`${name}.`))
    if (!isSection || !isRecord(value)) return [[name, value]]
    return Object.entries(value).map(([key, inner]) => [`${name}.${key}`, inner])
  })
}
