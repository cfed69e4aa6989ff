// The child's environment: variables from a short allow-list, and those that the chain declares, some of them
// taken by name from the project's `.env`. Nothing else is passed on: the caller's environment holds
// credentials that no tool asked for, and the author of a project's `.env` could configure the programs that
// a tool starts.
import { delimiter } from 'node:path'
import { AppError, absoluteFolders, isRecord, quoteText } from '../../base/index.ts'
import { declaredIn } from '../configuration/configuration.ts'
import { expandText } from '../configuration/template.ts'
import type { VerifiedTool } from '../types.ts'
import { parseDotenv } from './dotenv.ts'
import { isVariableName, mayBeSecret, mayComeFromDotenv, mayPassToChild } from './variable-policy.ts'

export interface EnvironmentSource {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly readDotenv: () => string | null
}

/** The parts of an element that say which variables it needs. */
export type DeclaringElement = Pick<VerifiedTool, 'id' | 'extension' | 'metadata'>

/** Variables being collected. Later ones win, and each is recorded under its origin. */
export class Environment {
  readonly values = new Map<string, string>()
  /**
   * What `${VAR}` may name. Variables from the project's `.env` are included only if they are declared as
   * secrets.
   */
  readonly templateVariables = new Map<string, string>()
  readonly secrets = new Set<string>()
  readonly #origins = new Map<string, Set<string>>()
  readonly #source: EnvironmentSource
  #dotenv: ReadonlyMap<string, string> | undefined

  constructor(source: EnvironmentSource) {
    this.#source = source
    for (const [name, value] of Object.entries(source.env)) {
      if (value === undefined || !mayPassToChild(name)) continue
      this.declare(
        'caller',
        name,
        name.toUpperCase() === 'PATH' ? absoluteFolders(value).join(delimiter) : value,
      )
    }
  }

  /** Adds a variable of the chain or of the allow-list. */
  declare(origin: string, name: string, value: string): void {
    this.#set(origin, name, value)
    this.templateVariables.set(name, value)
  }

  /** Adds a variable with a caller's value: no configuration may name it. */
  addParameter(name: string, value: string): void {
    this.#set('parameters', name, value)
    this.templateVariables.delete(name)
  }

  /** Adds the variables of `.env`, the secrets and the fixed values that an element's `env_config` names. */
  addElement(element: DeclaringElement): void {
    const declared = envConfigOf(element)
    for (const name of variableNames(element, '`env_config.dotenv`', declared.dotenv))
      this.#addSetting(element, name)
    for (const entry of secretNames(element)) this.#addSecret(element.id, entry)
    this.addFixed(element, 'env_config.env', declared.env)
  }

  /** Adds the values that an element lists under a key. */
  addFixed(element: Pick<DeclaringElement, 'id'>, key: string, fixed: unknown): void {
    if (fixed === undefined || fixed === null) return
    if (!isRecord(fixed)) throw invalid(element, `\`${key}\` must be an object of names and values`)
    for (const [name, value] of Object.entries(fixed)) {
      if (!isVariableName(name)) throw invalid(element, `${quoteText(name)} is not a variable name`)
      if (typeof value === 'object') throw invalid(element, `\`${key}.${name}\` must be a string`)
      this.declare(element.id, name, this.expand(String(value)))
    }
  }

  /** Lets configuration name a secret that is not passed to a child. `NAME?` may be missing. */
  useSecret(entry: string): string | undefined {
    const found = this.#requireSecret(entry)
    if (found !== undefined) this.templateVariables.set(found.name, found.value)
    return found?.value
  }

  /** Expands `${VAR}`; `{name}` has no meaning here. */
  expand(text: string): string {
    return expandText(text, {
      variables: this.templateVariables,
      names: new Map(),
      parameters: new Map(),
      absent: new Set(),
    })
  }

  origins(): ReadonlyMap<string, readonly string[]> {
    return new Map([...this.#origins].map(([origin, names]) => [origin, [...names].sort()]))
  }

  /** A setting may be missing. Configuration cannot name it, so it has no say in which program runs. */
  #addSetting(element: DeclaringElement, entry: string): void {
    const name = entry.replace(/\?$/, '')
    if (!mayComeFromDotenv(name)) {
      throw invalid(element, `\`${name}\` cannot come from \`.env\`: it decides how programs run`)
    }
    const value = this.#fromDotenv(name)
    if (value !== undefined && !this.values.has(name)) this.#set('.env', name, value)
  }

  #addSecret(origin: string, entry: string): void {
    const found = this.#requireSecret(entry, origin)
    if (found !== undefined) this.declare(origin, found.name, found.value)
  }

  #requireSecret(entry: string, origin?: string): { name: string; value: string } | undefined {
    const isOptional = entry.endsWith('?')
    const name = isOptional ? entry.slice(0, -1) : entry
    if (!mayBeSecret(name)) {
      throw new AppError('CONFIG_INVALID', `\`${name}\` cannot be declared as a secret`)
    }
    const value = this.#findSecret(name)
    if (value !== undefined) {
      this.secrets.add(value)
      return { name, value }
    }
    if (isOptional) return undefined
    throw missingSecret(name, origin)
  }

  /** The caller's own environment wins over the project's `.env`. */
  #findSecret(name: string): string | undefined {
    const own = Object.hasOwn(this.#source.env, name) ? this.#source.env[name] : undefined
    const found = own || (mayComeFromDotenv(name) ? this.#fromDotenv(name) : undefined)
    return found === '' ? undefined : found
  }

  #fromDotenv(name: string): string | undefined {
    this.#dotenv ??= parseDotenv(this.#source.readDotenv() ?? '')
    return this.#dotenv.get(name)
  }

  #set(origin: string, name: string, value: string): void {
    if (value.includes('\0'))
      throw new AppError('CONFIG_INVALID', `variable \`${name}\` contains a NUL character`)
    for (const names of this.#origins.values()) names.delete(name)
    const names = this.#origins.get(origin) ?? new Set()
    this.#origins.set(origin, names.add(name))
    this.values.set(name, value)
  }
}

/** An element's `env_config`, which must be an object if it is declared. */
export function envConfigOf(element: DeclaringElement): Readonly<Record<string, unknown>> {
  const declared = element.metadata.env_config
  if (declared === undefined || declared === null) return {}
  if (!isRecord(declared)) throw invalid(element, '`env_config` must be an object')
  return declared
}

/** The names under `secrets:`, at the top of a data item or in any `env_config`. `NAME?` may be missing. */
export function secretNames(element: DeclaringElement): string[] {
  const lists = [declaredIn(element, 'secrets'), envConfigOf(element).secrets]
  return lists.flatMap(list => variableNames(element, '`secrets`', list))
}

function variableNames(element: DeclaringElement, what: string, list: unknown): string[] {
  if (list === undefined || list === null) return []
  const isName = (entry: unknown): entry is string =>
    typeof entry === 'string' && isVariableName(entry.replace(/\?$/, ''))
  if (Array.isArray(list) && list.every(isName)) return list
  throw invalid(element, `${what} must be a list of variable names`)
}

function missingSecret(name: string, origin?: string): AppError {
  const whose = origin === undefined ? '' : `, which \`${origin}\` declares,`
  return new AppError('CONFIG_INVALID', `secret \`${name}\`${whose} is not set`, {
    hint: `set ${name} in the environment of rye${mayComeFromDotenv(name) ? " or in the project's .env" : ''}`,
  })
}

function invalid(element: Pick<DeclaringElement, 'id'>, problem: string): AppError {
  return new AppError('CONFIG_INVALID', `\`${element.id}\`: ${problem}`)
}
