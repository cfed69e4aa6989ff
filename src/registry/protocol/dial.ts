// A connection to a checked address, through the user's proxy if there is one. A name is looked up once, and
// exactly the address found is dialled, so the name cannot mean another address a moment later.
import { type ClientRequestArgs, request as plainRequest } from 'node:http'
import { connect, isIP, type Socket } from 'node:net'
import { AppError, systemErrorCode } from '../../base/index.ts'
import {
  isOwnAddress,
  isPublicAddress,
  type ResolveHost,
  resolveBySystem,
} from '../../execute/network/index.ts'

/** Tells how such an address can be allowed. */
export const PRIVATE_HINT =
  'if you trust it: a registry that is private or without encryption is named in your own .npmrc, and what it hands out must lie below that address'

export interface DialRequest {
  readonly url: URL
  /** Whether it may be a private address. */
  readonly allowPrivate: boolean
  readonly signal: AbortSignal
}

/** Connected, and encrypted for `https`. Throws `NETWORK_REFUSED` or `REMOTE_FAILED`. */
export type Dial = (request: DialRequest) => Promise<Socket>

export interface DialOptions {
  readonly findProxy: (url: URL) => URL | undefined
  /** `ca` replaces the system's certificates; `cert` and `key` are the user's own. */
  readonly certificates?: { readonly ca?: string; readonly cert?: string; readonly key?: string }
  readonly resolveHost?: ResolveHost
}

export function createDial({
  findProxy,
  certificates = {},
  resolveHost = resolveBySystem,
}: DialOptions): Dial {
  return async request => {
    const { url, signal } = request
    const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
    const proxy = findProxy(url)
    const addresses = await findAddresses(request, resolveHost, proxy !== undefined)
    const plain = proxy
      ? await openTunnel(proxy, `${url.hostname}:${port}`, signal)
      : await open(addresses[0]!, port, signal)
    return url.protocol === 'https:' ? encrypt(plain, url, { certificates, signal }) : plain
  }
}

/** May be empty behind a proxy, which may know names that this machine does not. */
async function findAddresses(
  { url, allowPrivate }: DialRequest,
  resolveHost: ResolveHost,
  isProxied: boolean,
): Promise<readonly string[]> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  let found: readonly string[]
  try {
    found = isIP(host) === 0 ? await resolveHost(host) : [host]
  } catch (thrown) {
    if (isProxied) return []
    throw unreachable(url, thrown)
  }
  if (found.length === 0 && !isProxied) throw new AppError('REMOTE_FAILED', `\`${host}\` has no address`)
  // One private address among several is enough to refuse: the outcome must not depend on luck.
  const bad = allowPrivate
    ? undefined
    : found.find(address => !isPublicAddress(address) || isOwnAddress(address))
  if (bad === undefined) return found
  throw new AppError(
    'NETWORK_REFUSED',
    `\`${host}\` is at the private address ${bad}: only the public internet is reached`,
    { hint: PRIVATE_HINT },
  )
}

/** The error listener stays for the life of the socket: an error without a listener would end the process. */
function open(host: string, port: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, signal })
    socket.on('error', reject)
    socket.once('connect', () => resolve(socket))
  })
}

/** A tunnel through a proxy. Used for plain requests too, so that no proxy can log or cache them. */
async function openTunnel(proxy: URL, place: string, signal: AbortSignal): Promise<Socket> {
  const request = proxy.protocol === 'https:' ? (await import('node:https')).request : plainRequest
  const user = decodeURIComponent(proxy.username)
  const pair = Buffer.from(`${user}:${decodeURIComponent(proxy.password)}`).toString('base64')
  const options: ClientRequestArgs = {
    method: 'CONNECT',
    host: proxy.hostname.replace(/^\[|\]$/g, ''),
    port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
    path: place,
    headers: { host: place, ...(user !== '' && { 'proxy-authorization': `Basic ${pair}` }) },
    agent: false,
    signal,
  }
  return new Promise((resolve, reject) => {
    const sent = request(options)
    sent.once('connect', (response, socket, head) => {
      socket.on('error', reject)
      if (response.statusCode === 200 && head.length === 0) return resolve(socket as Socket)
      socket.destroy()
      reject(new AppError('REMOTE_FAILED', `the proxy \`${proxy.host}\` answered ${response.statusCode}`))
    })
    sent.once('response', response => {
      response.destroy()
      reject(new AppError('REMOTE_FAILED', `the proxy \`${proxy.host}\` answered ${response.statusCode}`))
    })
    sent.on('error', reject)
    sent.end()
  })
}

async function encrypt(
  socket: Socket,
  url: URL,
  { certificates, signal }: { certificates: NonNullable<DialOptions['certificates']>; signal: AbortSignal },
): Promise<Socket> {
  const tls = await import('node:tls')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return new Promise((resolve, reject) => {
    const servername = isIP(host) === 0 ? { servername: host } : {}
    const secure = tls.connect({ socket, host, ...servername, ...certificates, ALPNProtocols: ['http/1.1'] })
    const stop = () => secure.destroy(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    secure.on('error', reject)
    secure.once('secureConnect', () => {
      signal.removeEventListener('abort', stop)
      resolve(secure)
    })
  })
}

/** A system failure as an error that names the registry. */
export function unreachable(url: URL, thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown
  const code = systemErrorCode(thrown) ?? (thrown instanceof Error ? thrown.message : 'unknown')
  const isCertificate = /CERT|SIGNATURE|ISSUER/.test(String(code))
  return new AppError('REMOTE_FAILED', `\`${url.host}\` cannot be reached: ${code}`, {
    ...(isCertificate && { hint: 'name the certificate of its authority with `cafile=FILE` in your .npmrc' }),
    cause: thrown,
  })
}
