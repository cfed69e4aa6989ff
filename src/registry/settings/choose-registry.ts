// Which registry a call talks to, and with which credentials. A registry is configured if the user or a
// signed file names it, or if it is the public one. Any other that a caller or a project's `.npmrc` names
// gets no token from the environment, must be on the public internet, and an agent may not choose it at all.
import { AppError, type Caller, quoteText } from '../../base/index.ts'
import { readRegistryAddress } from './address.ts'
import { bearer, type Credentials, findCredentials } from './credentials.ts'
import { lastOf, type NpmSettings } from './npmrc.ts'

export const PUBLIC_REGISTRY = 'https://registry.npmjs.org/'

export interface RegistrySettings {
  /** `config:rye/registry`, once its signature was checked. */
  readonly signed: { readonly registry?: string | undefined; readonly allowPrivate: boolean }
  /** The user's settings: variables, then the user's `.npmrc`, then that of the installation. */
  readonly own: readonly NpmSettings[]
  /** The project's `.npmrc`, of which only registries are used. */
  readonly project: NpmSettings
  /** `NPM_TOKEN`, which belongs to the general registry. */
  readonly token: string | undefined
}

export interface Registry {
  readonly url: URL
  /** Whether a private address, or one without encryption, is allowed. */
  readonly allowPrivate: boolean
  readonly credentials?: Credentials
  /** Whether the user or a signed file names it. Only such a registry may be published to. */
  readonly isConfigured: boolean
}

export interface RegistryRequest {
  readonly package?: string | undefined
  /** The address that the caller names. */
  readonly registry?: string | undefined
  readonly caller: Caller
}

export function chooseRegistry(settings: RegistrySettings, request: RegistryRequest): Registry {
  const { signed, own } = settings
  const general = lastSetting(own, 'registry') ?? PUBLIC_REGISTRY
  const named = request.registry === undefined ? nameByPackage(settings, request.package) : request.registry
  const main = readRegistryAddress(signed.registry ?? general)
  const url = named === undefined ? main : readRegistryAddress(named)
  const isMain = url.href === main.href
  const isOwn = ownRegistries(own).has(url.href)
  // If the user names a registry for the scope, only that one counts as configured.
  const scoped = request.registry === undefined ? ownScope(settings, request.package) : undefined
  const isPublic = request.registry !== undefined && url.href === PUBLIC_REGISTRY
  const isConfigured = scoped === undefined ? isMain || isOwn || isPublic : url.href === scoped
  const allowPrivate = isOwn || (isMain && signed.registry !== undefined && signed.allowPrivate)
  if (!allowPrivate && url.protocol !== 'https:')
    throw new AppError(
      'NETWORK_REFUSED',
      `expected a URL that begins with https://, got ${quoteText(url.href)}`,
      {
        hint: 'a registry without encryption is named in your own .npmrc, or in signed settings with `allow_private: true`',
      },
    )
  if (!isConfigured && request.caller === 'agent') throw notNamed(url)
  const kept = findCredentials(own, url)
  const credentials =
    kept ?? (isMain && settings.token ? bearer(url, settings.token, 'NPM_TOKEN') : undefined)
  return { url, allowPrivate, isConfigured, ...(credentials && { credentials }) }
}

/**
 * The registry that settings name for a package: that of its scope, else the general one. Undefined when
 * signed settings name one for everything.
 */
function nameByPackage(
  { signed, own, project }: RegistrySettings,
  name: string | undefined,
): string | undefined {
  if (signed.registry !== undefined) return undefined
  const [environment, ...files] = own
  // npm's order: variables, the project, the user, the installation.
  const layers = [environment, project, ...files].filter(layer => layer !== undefined)
  const scope = scopeOf(name)
  return (scope && lastSetting(layers, `${scope}:registry`)) ?? lastSetting(layers, 'registry')
}

/** The registry that the user names for a package's scope, unless signed settings name one for everything. */
function ownScope({ signed, own }: RegistrySettings, name: string | undefined): string | undefined {
  const scope = scopeOf(name)
  if (signed.registry !== undefined || scope === undefined) return undefined
  const named = lastSetting(own, `${scope}:registry`)
  return named === undefined ? undefined : readRegistryAddress(named).href
}

function scopeOf(name: string | undefined): string | undefined {
  return name?.startsWith('@') ? name.slice(0, name.indexOf('/')) : undefined
}

function lastSetting(layers: readonly NpmSettings[], key: string): string | undefined {
  for (const layer of layers) {
    const value = lastOf(layer, key)
    if (value !== undefined) return value
  }
  return undefined
}

/** Every registry that the user names, in general or for a scope. */
function ownRegistries(own: readonly NpmSettings[]): Set<string> {
  const found = new Set<string>()
  for (const layer of own) {
    for (const key of layer.keys()) {
      if (key !== 'registry' && !/^@[^:]+:registry$/.test(key)) continue
      const value = lastOf(layer, key)
      if (value !== undefined) found.add(readRegistryAddress(value).href)
    }
  }
  return found
}

function notNamed(url: URL): AppError {
  return new AppError('NETWORK_REFUSED', `\`${url.href}\` is not a registry that the user names`, {
    hint: 'only the user decides which registries are reached: ask them to name it in their own .npmrc, or in the signed settings `config:rye/registry`',
  })
}
