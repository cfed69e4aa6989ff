// A connection to a checked address: https only, no private, local or reserved address, no credentials in the URL. The name is looked up
// once and the checked address is the one that is dialled, so that a name cannot change its mind. In a sandbox its proxy looks up names
// and checks their addresses; no other proxy is used.
import { lookup } from 'node:dns/promises'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { BlockList, connect, isIP, type Socket } from 'node:net'
import { connect as connectSecurely, rootCertificates } from 'node:tls'

/** What the caller can fix, in one sentence. */
export class Refused extends Error {}

export type Dial = (url: URL, signal: AbortSignal) => Promise<Socket>

// What is not the public internet; in IPv6, only what begins with 2000::/3 can be.
const PRIVATE_IPV4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]
const PRIVATE_IPV6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]

/** The address that a text means; refuses what is none of the public web, as far as the text alone says so. */
export function readUrl(text: string): URL {
  // A backslash is read as a slash by some and as a part of the name by others.
  if (/[^!-~]|\\/.test(text))
    throw new Refused('expected a URL of plain characters: percent-encode blanks and others')
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https:\/\/[^/?#]/i.test(text))
    throw new Refused(`expected a URL that begins with https://, got \`${text.slice(0, 200)}\``)
  if (/^[^/]*\/\/[^/?#]*@/.test(text)) throw new Refused('a URL must not carry a user or a password')
  return url
}

/** Connects to where the URL leads, if that is the public internet. */
export async function dial(url: URL, signal: AbortSignal): Promise<Socket> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = Number(url.port || 443)
  const proxy = process.env.RYE_PROXY ?? ''
  const addresses = await addressesOf(host, proxy !== '')
  const bad = addresses.filter(address => !isPublic(address))
  if (bad.length > 0)
    throw new Refused(
      `\`${host}\` is at the private address ${bad.join(', ')}: only the public internet is reached`,
    )
  signal.throwIfAborted()
  const plain =
    proxy === '' ? await connectTo(addresses[0]!, port, signal) : await tunnel(proxy, host, port, signal)
  return secure(plain, host, signal)
}

/** Where a host is. Behind a proxy there is no name server, so only an address and this machine are known. */
async function addressesOf(host: string, isProxied: boolean): Promise<string[]> {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address)
  } catch (thrown) {
    if (isProxied) return []
    throw thrown
  }
}

function isPublic(address: string): boolean {
  const version = isIP(address)
  if (version === 4) return !listOf(PRIVATE_IPV4, 'ipv4').check(address, 'ipv4')
  if (version !== 6 || address.includes('%')) return false
  const isGlobal = listOf([['2000::', 3]], 'ipv6').check(address, 'ipv6')
  return isGlobal && !listOf(PRIVATE_IPV6, 'ipv6').check(address, 'ipv6')
}

function listOf(networks: readonly (readonly [string, number])[], version: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const [network, bits] of networks) list.addSubnet(network, bits, version)
  return list
}

function connectTo(host: string, port: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, signal })
    socket.once('error', reject).once('connect', () => resolve(socket))
  })
}

/** A connection through the proxy of the sandbox; what it refuses, it explains. */
function tunnel(proxy: string, host: string, port: number, signal: AbortSignal): Promise<Socket> {
  const [at, number] = proxy.split(':')
  const path = `${host.includes(':') ? `[${host}]` : host}:${port}`
  return new Promise((resolve, reject) => {
    const asked = request({ host: at, port: number, method: 'CONNECT', path, agent: false, signal })
    asked.once('error', reject)
    asked.once('connect', (response, socket) => {
      if (response.statusCode === 200) resolve(socket)
      else {
        socket.destroy()
        reject(new Refused(response.statusMessage ?? 'refused'))
      }
    })
    asked.end()
  })
}

function secure(socket: Socket, host: string, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const file = process.env.SSL_CERT_FILE ?? ''
    const tls = connectSecurely({
      socket,
      host,
      ...(isIP(host) === 0 && { servername: host }),
      ...(file !== '' && { ca: [...rootCertificates, readFileSync(file, 'utf8')] }),
    })
    const abort = () => tls.destroy(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    tls.once('close', () => signal.removeEventListener('abort', abort))
    tls.once('error', reject).once('secureConnect', () => resolve(tls))
  })
}
