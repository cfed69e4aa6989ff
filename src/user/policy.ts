// The user's settings, `.ai/config/rye.toml` of the user space. They need no signature: anyone who can write
// there can trust keys as well. No other space is ever asked, so no project can loosen what its user decided.
import { join } from 'node:path'
import { AppError } from '../base/index.ts'
import { readFile } from '../files/index.ts'
import type { TrustPolicy } from '../trust/index.ts'
import { LIMITS, readSettings, type Settings } from './settings-file.ts'

export interface UserPolicy extends TrustPolicy {
  /** What to do with an item that is older than what was used of it before. */
  readonly rollback: 'show' | 'refuse'
  readonly mcp: {
    /** Whether an agent may sign through MCP. */
    readonly sign: 'allow' | 'deny'
    /**
     * Whether an agent may sign over another key's signature. `ask` asks the person through the client, and
     * refuses if that is impossible.
     */
    readonly take_over: 'ask' | 'allow' | 'refuse'
    /** Whether an agent may sign items that ask for hosts, outside places or secrets; `ask` as above. */
    readonly grant: 'ask' | 'allow' | 'refuse'
  }
  readonly search: {
    /** Whether answers include items that could not be loaded. */
    readonly unverified: 'show' | 'hide'
    /**
     * When a search asks the registry too: `ask`: every search without a source; `named`: only with source
     * `all`; `off`: neither. A search with source `registry` always asks it.
     */
    readonly registry: 'ask' | 'named' | 'off'
    /** Whether questions are answered by meaning as well as by words. */
    readonly meaning: 'on' | 'off'
  }
  readonly execute: {
    /** `auto`: bubblewrap where it works, else process groups. A named method is required. */
    readonly isolation: 'auto' | 'bubblewrap' | 'process-group'
    /** Whether runtimes and primitives of `rye/core/` may come from the project or user space. */
    readonly core_shadowing: 'refuse' | 'allow'
    /**
     * Projects, by absolute path, whose own interpreters (`.venv`) and packages (`node_modules`) may run in
     * their tools; `with-secrets`: also in tools that get secrets.
     */
    readonly project_interpreters: ReadonlyMap<string, 'allow' | 'with-secrets'>
    /** Whether `uv` may fetch the packages that a skill's script names. */
    readonly script_packages: 'refuse' | 'uv'
  }
  /** What sandboxed tools see besides the project: paths that are absolute or begin with `~/`. */
  readonly isolation: { readonly readable: readonly string[]; readonly writable: readonly string[] }
  /** How much of the machine one run of a tool may use. Unset limits have a default. */
  readonly limits: { readonly memory_mb?: number; readonly processes?: number; readonly file_mb?: number }
  /** The shared catalogue for all projects: a directory or an address. */
  readonly catalogue?: string
  /** The catalogue of single projects, by absolute path; `off` for none. */
  readonly project_catalogues?: ReadonlyMap<string, string>
  /** Null when the built-in model is used. */
  readonly embeddings: EmbeddingSettings | null
}

export type EmbeddingSettings = ProviderSettings | ModelFolder

/** A folder with a Model2Vec model: an absolute path, or from the home directory with `~/`. */
export interface ModelFolder {
  readonly path: string
}

export interface ProviderSettings {
  /** The base address, such as `http://localhost:11434/v1`. */
  readonly url: string
  readonly model: string
  /** The environment variable that holds the key, if the provider needs one. */
  readonly key_env: string | undefined
}

export const DEFAULT_POLICY: UserPolicy = {
  legacy: 'refuse',
  rollback: 'show',
  mcp: { sign: 'allow', take_over: 'ask', grant: 'ask' },
  execute: {
    isolation: 'auto',
    core_shadowing: 'refuse',
    project_interpreters: new Map(),
    script_packages: 'refuse',
  },
  isolation: { readable: [], writable: [] },
  limits: {},
  search: { unverified: 'show', meaning: 'on', registry: 'named' },
  embeddings: null,
}

const MAX_CONFIG_BYTES = 65_536

export function userConfigPath(userSpace: string): string {
  return join(userSpace, '.ai', 'config', 'rye.toml')
}

/** Reads the policy, filled with defaults. Throws `CONFIG_INVALID` naming file, key and allowed values. */
export async function loadPolicy(userSpace: string): Promise<UserPolicy> {
  const path = userConfigPath(userSpace)
  const file = readFile(path, { maxBytes: MAX_CONFIG_BYTES })
  if (file === undefined) return DEFAULT_POLICY
  const settings = await readSettings(path, file.bytes.toString('utf8'))
  return {
    legacy: settings.choose('legacy', DEFAULT_POLICY.legacy),
    rollback: settings.choose('rollback', DEFAULT_POLICY.rollback),
    mcp: {
      sign: settings.choose('mcp.sign', DEFAULT_POLICY.mcp.sign),
      take_over: settings.choose('mcp.take_over', DEFAULT_POLICY.mcp.take_over),
      grant: settings.choose('mcp.grant', DEFAULT_POLICY.mcp.grant),
    },
    search: {
      unverified: settings.choose('search.unverified', DEFAULT_POLICY.search.unverified),
      registry: settings.choose('search.registry', DEFAULT_POLICY.search.registry),
      meaning: settings.choose('search.meaning', DEFAULT_POLICY.search.meaning),
    },
    execute: {
      isolation: settings.choose('execute.isolation', DEFAULT_POLICY.execute.isolation),
      core_shadowing: settings.choose('execute.core_shadowing', DEFAULT_POLICY.execute.core_shadowing),
      script_packages: settings.choose('execute.script_packages', DEFAULT_POLICY.execute.script_packages),
      project_interpreters: settings.interpreters,
    },
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

/** Address and model must be set together. A folder needs nothing else. */
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
