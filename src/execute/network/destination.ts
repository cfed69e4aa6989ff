// Whether a tool may reach a destination, and at which addresses. Every address of a name is checked, and
// only checked addresses are dialled, so it does not matter if the name resolves differently a moment later.
import { connect, type Socket } from 'node:net'
import { systemErrorCode } from '../../base/index.ts'
import { canonicalHost, type HostRule, isAddress, type Reach, reachOf } from '../../plan/network/index.ts'
import { isPrivateNetwork, isPublicAddress } from './address-guard.ts'
import type { ResolveHost } from './resolve-host.ts'

/** `status` is what an HTTP proxy answers. */
export class Refusal extends Error {
  readonly status: number
  /** Host and port, if the tool may not reach them. */
  readonly place: string | undefined

  constructor(status: number, message: string, place?: string) {
    super(message)
    this.status = status
    this.place = place
  }
}

/** How names become addresses, and which addresses lead back to this machine. */
export interface Surroundings {
  readonly resolveHost: ResolveHost
  readonly isOwnAddress: (address: string) => boolean
}

const CONNECT_MS = 15_000
const MOST_ADDRESSES = 4

/** The addresses to dial. Otherwise throws a `Refusal` that says why, and what to do about it. */
export async function findAddresses(
  rules: readonly HostRule[],
  written: string,
  port: number,
  { resolveHost, isOwnAddress }: Surroundings,
): Promise<readonly string[]> {
  const host = canonicalHost(written)
  if (host === undefined) throw new Refusal(400, 'the host is not a name or an address')
  const place = `${host}:${port}`
  const refuse = (why: string) => new Refusal(403, `the tool may not reach \`${place}\`: ${why}`, place)
  const reach = reachOf(rules, host, port)
  if (reach === undefined) throw refuse('its `permissions.network` does not name it')
  const addresses = await addressesOf(host, resolveHost)
  // One bad address among several is enough to refuse: which one is used must not be a matter of luck.
  const bad = addresses.find(address => !isWithin(reach, address))
  if (bad === undefined) {
    const own = reach === 'named' ? undefined : addresses.find(isOwnAddress)
    if (own === undefined) return addresses
    throw refuse(`\`${own}\` is an address of this machine`)
  }
  const named = isAddress(host) ? host : `private:${host}:${port}`
  const remedy =
    isAddress(host) || isPrivateNetwork(bad) ? `, unless \`permissions.network\` names \`${named}\`` : ''
  throw refuse(`\`${bad}\` is a private address${remedy}`)
}

async function addressesOf(host: string, resolveHost: ResolveHost): Promise<readonly string[]> {
  // Whatever a hosts file or a name server says, this name is this machine.
  if (host === 'localhost') return ['127.0.0.1', '::1']
  if (isAddress(host)) return [host.replace(/^\[|\]$/g, '')]
  try {
    const found = await resolveHost(host)
    if (found.length > 0) return found
  } catch (thrown) {
    throw new Refusal(502, `\`${host}\` was not found: ${systemErrorCode(thrown) ?? 'unknown'}`)
  }
  throw new Refusal(502, `\`${host}\` has no address`)
}

function isWithin(reach: Reach, address: string): boolean {
  if (reach === 'named' || isPublicAddress(address)) return true
  return reach === 'private' && isPrivateNetwork(address)
}

/** Connects to the first address that answers. Stops trying when `ended` says that nobody waits any more. */
export async function dial(addresses: readonly string[], port: number, ended: AbortSignal): Promise<Socket> {
  let last = 'unknown'
  for (const host of addresses.slice(0, MOST_ADDRESSES)) {
    if (ended.aborted) break
    try {
      return await dialOne(host, port, ended)
    } catch (thrown) {
      last = systemErrorCode(thrown) ?? 'unknown'
    }
  }
  throw new Refusal(502, `\`${addresses[0]}\` cannot be reached on port ${port}: ${last}`)
}

function dialOne(host: string, port: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, allowHalfOpen: true, signal })
    const late = setTimeout(() => {
      socket.destroy()
      reject(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' }))
    }, CONNECT_MS)
    socket.once('error', thrown => {
      clearTimeout(late)
      reject(thrown)
    })
    socket.once('connect', () => {
      clearTimeout(late)
      resolve(socket)
    })
  })
}
