// A client for one registry, for one call: which registry it is, how it is reached, and for how long.
import { setMaxListeners } from 'node:events'
import { AppError } from '../base/index.ts'
import { createClient, type RegistryClient } from './protocol/client.ts'
import { createDial, type Dial } from './protocol/dial.ts'
import { createSend } from './protocol/send.ts'
import { type NpmPlaces, readNamedFile, readNpmFiles } from './read-settings.ts'
import { chooseRegistry, type RegistryRequest, type RegistrySettings } from './settings/choose-registry.ts'
import { findAddressed } from './settings/credentials.ts'
import { findProxy } from './settings/proxy.ts'

export interface OpenRequest extends RegistryRequest, NpmPlaces, Pick<RegistrySettings, 'signed' | 'token'> {
  readonly signal: AbortSignal
  /** How to connect to an address; tests pass their own. */
  readonly dial?: Dial
}

export interface OpenedRegistry extends RegistryClient {
  /** Must not appear in an answer. */
  readonly secrets: readonly string[]
}

/** Throws when the settings are wrong. Nothing is dialled before the first request. */
export function openRegistry(request: OpenRequest): OpenedRegistry {
  const { own, project, ca } = readNpmFiles(request)
  const registry = chooseRegistry({ ...request, own, project }, request)
  const { environment: variables, home, token } = request
  const file = (key: string) => {
    const named = findAddressed(own, registry.url, key)
    return named === undefined ? undefined : readNamedFile(named, home, key)
  }
  const [cert, key] = [file('certfile'), file('keyfile')]
  const certificates = { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) }
  const dial =
    request.dial ?? createDial({ findProxy: url => findProxy(url, { layers: own, variables }), certificates })
  const client = createClient(registry, createSend(registry, dial, request.signal))
  return { ...client, secrets: [...(registry.credentials?.secrets ?? []), ...(token ? [token] : [])] }
}

/** A signal that aborts with `signal`, or after a time. Call `close` when the work is done. */
export function withDeadline(signal: AbortSignal, ms: number): { signal: AbortSignal; close(): void } {
  const controller = new AbortController()
  // Many requests may wait at once. Node would take their listeners for a leak, and warn on standard error.
  setMaxListeners(0, controller.signal)
  const cancel = () => controller.abort(new AppError('EXECUTION_CANCELLED', 'the call was cancelled'))
  const late = setTimeout(
    () => controller.abort(new AppError('EXECUTION_TIMEOUT', 'no complete answer within the time limit')),
    ms,
  )
  if (signal.aborted) cancel()
  signal.addEventListener('abort', cancel, { once: true })
  return {
    signal: controller.signal,
    close() {
      clearTimeout(late)
      signal.removeEventListener('abort', cancel)
      controller.abort()
    },
  }
}
