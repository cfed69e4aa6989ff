// The user's settings, `.ai/config/rye.toml` of the user space. They need no signature: whoever can write there
// can trust keys as well. No other space is ever asked, so no project can loosen what its user decided.
import { isAbsolute, join } from 'node:path'
import { AppError, firstLineOf, isRecord, nearest, quoteText, shortenText } from '../base/index.ts'
import { readFile } from '../files/index.ts'
import type { TrustPolicy } from '../trust/index.ts'

export interface UserPolicy extends TrustPolicy {
  /** What happens to an item that is older than what was used of it before. */
  readonly rollback: 'show' | 'refuse'
  readonly mcp: {
    /** Whether an agent may sign through MCP. */
    readonly sign: 'allow' | 'deny'
    /** Whether it may sign what another key signed: `ask` the person through the client, or refuse where it cannot ask. */
    readonly take_over: 'ask' | 'allow' | 'refuse'
  }
  readonly search: {
    /** Whether items that could not be loaded are in answers. */
    readonly unverified: 'show' | 'hide'
    /** Whether a search of everything asks the registry, too; one of `source: "registry"` always does. */
    readonly registry: 'ask' | 'off'
    /** Whether questions are answered by meaning besides words. */
    readonly meaning: 'on' | 'off'
  }
  readonly execute: {
    /** `auto`: bubblewrap where it works, process groups elsewhere. A named one is required. */
    readonly isolation: 'auto' | 'bubblewrap' | 'process-group'
    /** Whether runtimes and primitives of `rye/core/` may come from the project or user space. */
    readonly core_shadowing: 'refuse' | 'allow'
    /** Projects whose own interpreters (`.venv`) may run their tools, by absolute path; `with-secrets`: also tools that get secrets. */
    readonly project_interpreters: ReadonlyMap<string, 'allow' | 'with-secrets'>
    /** Whether `uv` may fetch the packages that a script of a skill names. */
    readonly script_packages: 'refuse' | 'uv'
  }
  /** What sandboxed tools see besides the project; absolute, or from the home directory with `~/`. */
  readonly isolation: { readonly readable: readonly string[]; readonly writable: readonly string[] }
  /** How much of the machine one run of a tool may take; a default holds for what is not set. */
  readonly limits: { readonly memory_mb?: number; readonly processes?: number; readonly file_mb?: number }
  /** The shared catalogue of every project: a directory or an address. */
  readonly catalogue?: string
  /** That of some projects, by absolute path; `off` for none. */
  readonly project_catalogues?: ReadonlyMap<string, string>
  /** Null: meaning is that of the built-in model. */
  readonly embeddings: EmbeddingSettings | null
}

export type EmbeddingSettings = ProviderSettings | ModelFolder

/** A folder with a model of Model2Vec; absolute, or from the home directory with `~/`. */
export interface ModelFolder {
  readonly path: string
}

export interface ProviderSettings {
  /** The base address, such as `http://localhost:11434/v1`. */
  readonly url: string
  readonly model: string
  /** The environment variable that holds the key, when the provider wants one. */
  readonly key_env: string | undefined
}

export const DEFAULT_POLICY: UserPolicy = {
  legacy: 'refuse',
  rollback: 'show',
  mcp: { sign: 'allow', take_over: 'ask' },
  execute: {
    isolation: 'auto',
    core_shadowing: 'refuse',
    project_interpreters: new Map(),
    script_packages: 'refuse',
  },
  isolation: { readable: [], writable: [] },
  limits: {},
  search: { unverified: 'show', meaning: 'on', registry: 'off' },
  embeddings: null,
}

const MAX_CONFIG_BYTES = 65_536

interface Setting {
  /** What is expected, in words. */
  readonly expected: string
  accepts(value: string): boolean
  /** Whether it is written as a number. */
  readonly isNumber?: true
  /** Whether it is a list of such values. */
  readonly isList?: true
}

/** Settings that are tables: paths of projects, and what holds there. */
const PROJECT_INTERPRETERS = 'execute.project_interpreters'
const PROJECT_CATALOGUES = 'project_catalogues'
const LIMITS = ['memory_mb', 'processes', 'file_mb'] as const
const COUNT = { expected: 'a whole number above 0', accepts: isCount, isNumber: true } as const
const CATALOGUE = 'an absolute path, or an address without user and password such as `s3://bucket/folder`'
const PATHS = 'a list of absolute paths, or paths that begin with `~/`'

const SETTINGS: ReadonlyMap<string, Setting> = new Map<string, Setting>([
  ['legacy', oneOf('refuse', 'allow')],
  ['rollback', oneOf('show', 'refuse')],
  ['mcp.sign', oneOf('allow', 'deny')],
  ['mcp.take_over', oneOf('ask', 'allow', 'refuse')],
  ['search.unverified', oneOf('show', 'hide')],
  ['search.registry', oneOf('ask', 'off')],
  ['search.meaning', oneOf('on', 'off')],
  ['execute.isolation', oneOf('auto', 'bubblewrap', 'process-group')],
  ['execute.core_shadowing', oneOf('refuse', 'allow')],
  ['execute.script_packages', oneOf('refuse', 'uv')],
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

export function userConfigPath(userSpace: string): string {
  return join(userSpace, '.ai', 'config', 'rye.toml')
}

/** Reads the policy, with defaults for what is not set. Throws `CONFIG_INVALID` naming file, key and allowed values. */
export async function loadPolicy(userSpace: string): Promise<UserPolicy> {
  const path = userConfigPath(userSpace)
  const file = readFile(path, { maxBytes: MAX_CONFIG_BYTES })
  if (file === undefined) return DEFAULT_POLICY
  const settings = await readSettings(path, file.bytes.toString('utf8'))
  return {
    // Each value was checked against the table of its setting.
    legacy: (settings.get('legacy') ?? DEFAULT_POLICY.legacy) as UserPolicy['legacy'],
    rollback: (settings.get('rollback') ?? DEFAULT_POLICY.rollback) as UserPolicy['rollback'],
    mcp: {
      sign: settings.get('mcp.sign') ?? DEFAULT_POLICY.mcp.sign,
      take_over: settings.get('mcp.take_over') ?? DEFAULT_POLICY.mcp.take_over,
    } as UserPolicy['mcp'],
    search: {
      unverified: settings.get('search.unverified') ?? DEFAULT_POLICY.search.unverified,
      registry: settings.get('search.registry') ?? DEFAULT_POLICY.search.registry,
      meaning: settings.get('search.meaning') ?? DEFAULT_POLICY.search.meaning,
    } as UserPolicy['search'],
    execute: {
      ...DEFAULT_POLICY.execute,
      ...(settings.has('execute.isolation') && { isolation: settings.get('execute.isolation') }),
      ...(settings.has('execute.core_shadowing') && {
        core_shadowing: settings.get('execute.core_shadowing'),
      }),
      ...(settings.has('execute.script_packages') && {
        script_packages: settings.get('execute.script_packages'),
      }),
      project_interpreters: settings.interpreters,
    } as UserPolicy['execute'],
    isolation: {
      readable: settings.list('isolation.readable'),
      writable: settings.list('isolation.writable'),
    },
    limits: Object.fromEntries(
      LIMITS.filter(name => settings.has(`limits.${name}`)).map(name => [
        name,
        Number(settings.get(`limits.${name}`)),
      ]),
    ),
    ...(settings.has('catalogue') && { catalogue: settings.get('catalogue')! }),
    ...(settings.catalogues.size > 0 && { project_catalogues: settings.catalogues }),
    embeddings: readEmbeddings(path, settings),
  }
}

/** Address and model are both set or neither is; a folder needs nothing else. */
function readEmbeddings(path: string, settings: Settings): EmbeddingSettings | null {
  const [url, model, key_env] = ['url', 'model', 'key_env'].map(name => settings.get(`embeddings.${name}`))
  const folder = settings.get('embeddings.path')
  if (folder !== undefined) {
    if (url === undefined && model === undefined && key_env === undefined) return { path: folder }
    throw new AppError(
      'CONFIG_INVALID',
      `\`${path}\`: expected \`embeddings.path\` or \`embeddings.url\`, got both`,
      {
        hint: 'a folder holds a model of its own, and needs no address, model or key',
      },
    )
  }
  if (url !== undefined && model !== undefined) return { url, model, key_env }
  if (url === undefined && model === undefined && key_env === undefined) return null
  const missing = url === undefined ? 'embeddings.url' : 'embeddings.model'
  throw new AppError('CONFIG_INVALID', `\`${path}\`: \`${missing}\` is missing`, {
    hint: 'embeddings need an address and a model',
  })
}

/** Values that were checked, by key. */
class Settings {
  readonly #values = new Map<string, readonly string[]>()
  /** The table of projects whose interpreters are allowed. */
  readonly interpreters = new Map<string, string>()
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

  list(key: string): readonly string[] {
    return this.#values.get(key) ?? []
  }
}

async function readSettings(path: string, text: string): Promise<Settings> {
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
    if (key === PROJECT_CATALOGUES && isTableOf(value, one => one === 'off' || isCatalogue(one))) {
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

function oneOf(...words: string[]): Setting {
  return { expected: words.map(word => `"${word}"`).join(' or '), accepts: value => words.includes(value) }
}

function isTableOf(value: unknown, accepts: (entry: string) => boolean): value is Record<string, string> {
  return (
    isRecord(value) &&
    Object.entries(value).every(
      ([project, entry]) => isAbsolute(project) && typeof entry === 'string' && accepts(entry),
    )
  )
}

function isAllowance(value: string): boolean {
  return value === 'allow' || value === 'with-secrets'
}

/** Credentials come from the environment: one in an address would be printed with it. */
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
