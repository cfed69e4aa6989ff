// Which credentials belong to an address: those in the user's `.npmrc` for it or an address above, as in npm.
import { lastOf, type NpmSettings } from './npmrc.ts'

export interface Credentials {
  /** Sent only to this address and to those below it. */
  readonly below: URL
  /** The value of the `Authorization` header. */
  readonly authorization: string
  /** How a person would recognise them. */
  readonly name: string
  /** What must never be shown. */
  readonly secrets: readonly string[]
}

export function bearer(below: URL, token: string, name: string): Credentials {
  return { below, authorization: `Bearer ${token}`, name, secrets: [token] }
}

/** The credentials of the longest path that has any; `layers` are asked in order. */
export function findCredentials(layers: readonly NpmSettings[], registry: URL): Credentials | undefined {
  for (const below of addressesAbove(registry)) {
    for (const layer of layers) {
      const found = credentialsAt(layer, below)
      if (found) return found
    }
  }
  return undefined
}

/** A setting of an address or one above it, such as `certfile`. */
export function findAddressed(
  layers: readonly NpmSettings[],
  registry: URL,
  name: string,
): string | undefined {
  for (const below of addressesAbove(registry)) {
    for (const layer of layers) {
      const value = addressed(layer, below, name)
      if (value !== undefined) return value
    }
  }
  return undefined
}

function credentialsAt(layer: NpmSettings, below: URL): Credentials | undefined {
  const read = (name: string) => {
    const value = addressed(layer, below, name)
    // An unset variable: this is its name, not a credential.
    return value?.includes('${') ? undefined : value
  }
  const name = `the token of \`${below.host}${below.pathname}\` in your .npmrc`
  const token = read('_authToken')
  if (token !== undefined) return bearer(below, token, name)
  const pair = read('_auth') ?? joinPair(read('username'), read('_password'))
  if (pair === undefined) return undefined
  const password = Buffer.from(pair, 'base64').toString().split(':').slice(1).join(':')
  return { below, authorization: `Basic ${pair}`, name, secrets: [pair, password] }
}

/** `_password` is stored in base64. */
function joinPair(user: string | undefined, password: string | undefined): string | undefined {
  if (user === undefined || password === undefined) return undefined
  return Buffer.from(`${user}:${Buffer.from(password, 'base64').toString()}`).toString('base64')
}

function addressed(layer: NpmSettings, below: URL, name: string): string | undefined {
  const key = `//${below.host}${below.pathname}`
  return lastOf(layer, `${key}:${name}`) ?? lastOf(layer, `${key.slice(0, -1)}:${name}`)
}

/** The address and those above it, longest path first. */
function addressesAbove(registry: URL): URL[] {
  const segments = registry.pathname.split('/').filter(segment => segment !== '')
  return Array.from({ length: segments.length + 1 }, (_, dropped) => {
    const path = segments.slice(0, segments.length - dropped).map(segment => `${segment}/`)
    return new URL(`/${path.join('')}`, registry)
  })
}
