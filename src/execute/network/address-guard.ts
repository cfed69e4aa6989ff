// Which addresses may be connected to. Pure. The address of the connection is checked, never the name: a name
// may resolve differently the second time.
import { BlockList, isIP } from 'node:net'

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

// Inside the global range, but tunnels to other addresses, or only for documentation.
const SPECIAL_IPV6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]

/** The ranges that organisations and homes use for their machines. */
const MACHINES: readonly (readonly [string, number, 'ipv4' | 'ipv6'])[] = [
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['fc00::', 7, 'ipv6'],
]

const blockedIpv4 = new BlockList()
for (const [network, bits] of PRIVATE_IPV4) blockedIpv4.addSubnet(network, bits, 'ipv4')
const globalIpv6 = new BlockList()
globalIpv6.addSubnet('2000::', 3, 'ipv6')
const specialIpv6 = new BlockList()
for (const [network, bits] of SPECIAL_IPV6) specialIpv6.addSubnet(network, bits, 'ipv6')

const privateNetworks = new BlockList()
for (const network of MACHINES) privateNetworks.addSubnet(...network)

/** Whether an address belongs to the public internet. A text that is not an address does not. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address)
  if (version === 4) return !blockedIpv4.check(address, 'ipv4')
  if (version !== 6 || address.includes('%')) return false
  return globalIpv6.check(address, 'ipv6') && !specialIpv6.check(address, 'ipv6')
}

/**
 * Whether an address belongs to a private network of machines. This machine's loopback and link-local
 * addresses do not.
 */
export function isPrivateNetwork(address: string): boolean {
  const version = isIP(address)
  return version !== 0 && privateNetworks.check(address, version === 4 ? 'ipv4' : 'ipv6')
}

/** What is wrong with a URL before anything is looked up, or undefined. */
export function urlFault(url: URL, allowPrivate: boolean): string | undefined {
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return `expected an http or https address, got \`${url.protocol}\``
  if (url.username !== '' || url.password !== '') return 'a URL must not contain a user or a password'
  if (url.protocol === 'http:' && !allowPrivate) return `expected https, got \`${url.origin}\``
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0 && !allowPrivate && !isPublicAddress(host)) return `\`${host}\` is a private address`
  return undefined
}
