// One request, with every hop checked: the connection is made to the very address that was checked. Redirects
// are followed here, so that no hop avoids the check, and neither a credential nor a body is sent to another
// origin.
import type { ClientRequest, IncomingMessage } from 'node:http'
import { isIP, type LookupFunction } from 'node:net'
import type { Readable } from 'node:stream'
import { AppError, systemErrorCode } from '../../../base/index.ts'
import { isPublicAddress, urlFault } from '../../network/address-guard.ts'
import { isOwnAddress } from '../../network/own-address.ts'
import { type ResolveHost, resolveBySystem } from '../../network/resolve-host.ts'

export interface HttpRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Lower-case names of headers that are never sent to another origin. */
  readonly credentialHeaders: readonly string[]
  readonly body: Uint8Array | null
  readonly allowPrivate: boolean
  readonly signal: AbortSignal
}

export interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** As sent: still compressed, and of any length. The reader must bound it. */
  readonly body: Readable
  readonly url: string
}

const MOST_REDIRECTS = 5
const ALWAYS_CREDENTIALS = ['authorization', 'cookie', 'proxy-authorization']

export async function sendRequest(
  request: HttpRequest,
  resolveHost: ResolveHost = resolveBySystem,
): Promise<HttpResponse> {
  let hop: Hop = { ...request, url: parseUrl(request.url) }
  for (let redirects = 0; ; redirects++) {
    const response = await connect(hop, resolveHost)
    const location = redirectTarget(response)
    if (location === undefined) return { ...describe(response), body: response, url: hop.url.href }
    response.destroy()
    if (redirects === MOST_REDIRECTS) {
      throw refused(`\`${request.url}\` redirects more than ${MOST_REDIRECTS} times`)
    }
    hop = nextHop(hop, location, response.statusCode ?? 0)
  }
}

export type Hop = Omit<HttpRequest, 'url'> & { readonly url: URL }

function parseUrl(text: string): URL {
  if (!URL.canParse(text)) throw new AppError('INVALID_INPUT', `expected a URL, got \`${text}\``)
  return new URL(text)
}

function redirectTarget(response: IncomingMessage): string | undefined {
  return [301, 302, 303, 307, 308].includes(response.statusCode ?? 0) ? response.headers.location : undefined
}

export function nextHop(hop: Hop, location: string, status: number): Hop {
  if (!URL.canParse(location, hop.url.href)) throw refused(`the redirect target \`${location}\` is not a URL`)
  const url = new URL(location, hop.url)
  if (hop.url.protocol === 'https:' && url.protocol !== 'https:') {
    throw refused(`a redirect from https to \`${url.protocol}\` was refused`)
  }
  const sameOrigin = url.origin === hop.url.origin
  const withheld = sameOrigin ? [] : [...ALWAYS_CREDENTIALS, ...hop.credentialHeaders]
  const becomesGet = status === 303 || ((status === 301 || status === 302) && hop.method === 'POST')
  // A body may hold a secret, as a header may, and nothing tells in which part.
  if (!sameOrigin && !becomesGet && hop.body !== null) {
    const message = `\`${hop.url.origin}\` redirects a request with a body to \`${url.origin}\``
    throw new AppError('NETWORK_REFUSED', message, {
      hint: 'if the other address should get the body, use that address in the signed item',
    })
  }
  const dropped = becomesGet ? [...withheld, 'content-type', 'content-length'] : withheld
  const headers = Object.fromEntries(
    Object.entries(hop.headers).filter(([name]) => !dropped.includes(name.toLowerCase())),
  )
  return { ...hop, url, headers, ...(becomesGet ? { method: 'GET', body: null } : {}) }
}

async function connect(hop: Hop, resolveHost: ResolveHost): Promise<IncomingMessage> {
  const fault = urlFault(hop.url, hop.allowPrivate)
  if (fault !== undefined) throw refused(fault)
  const { request } = hop.url.protocol === 'https:' ? await import('node:https') : await import('node:http')
  const address = await checkedAddress(hop, resolveHost)
  const lookup: LookupFunction = (_, options, done) => {
    const family = isIP(address)
    if (options.all) done(null, [{ address, family }])
    else done(null, address, family)
  }
  return new Promise((resolve, reject) => {
    const sent: ClientRequest = request(hop.url, {
      method: hop.method,
      headers: { ...hop.headers, ...(hop.body ? { 'content-length': hop.body.length } : {}) },
      lookup,
      signal: hop.signal,
      agent: false,
      maxHeaderSize: 65_536,
    })
    sent.once('response', resolve)
    sent.once('error', thrown => reject(transportFailure(hop, thrown)))
    sent.end(hop.body ?? undefined)
  })
}

async function checkedAddress(hop: Hop, resolveHost: ResolveHost): Promise<string> {
  const host = hop.url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0) return host
  let addresses: readonly string[]
  try {
    addresses = await resolveHost(host)
  } catch (thrown) {
    throw transportFailure(hop, thrown)
  }
  // One private address among several is enough to refuse: which one is used must not be a matter of luck.
  const bad = hop.allowPrivate ? undefined : addresses.find(address => !isPublicAddress(address))
  if (bad !== undefined) throw refused(`\`${host}\` resolves to the private address \`${bad}\``)
  const own = hop.allowPrivate ? undefined : addresses.find(isOwnAddress)
  if (own !== undefined) throw refused(`\`${host}\` resolves to \`${own}\`, an address of this machine`)
  const first = addresses[0]
  if (first === undefined) throw new AppError('REMOTE_FAILED', `\`${host}\` has no address`)
  return first
}

function describe(response: IncomingMessage): Pick<HttpResponse, 'status' | 'headers'> {
  const headers = Object.entries(response.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value] as const],
  )
  return { status: response.statusCode ?? 0, headers: Object.fromEntries(headers) }
}

function refused(message: string): AppError {
  return new AppError('NETWORK_REFUSED', message, {
    hint: 'set `allow_private: true` in a tool that you trust to reach plain http or private addresses',
  })
}

function transportFailure(hop: Hop, cause: unknown): unknown {
  if (hop.signal.aborted) return hop.signal.reason
  if (cause instanceof AppError) return cause
  const code = systemErrorCode(cause) ?? 'unknown'
  return new AppError('REMOTE_FAILED', `\`${hop.url.origin}\` cannot be reached: ${code}`, { cause })
}
