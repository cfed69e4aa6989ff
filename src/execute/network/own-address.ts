// Whether an address leads back to this machine. Its public ones do, too: what listens on all of them is often closed to others only
// by a firewall that does not ask this machine itself.
import { BlockList } from 'node:net'
import { networkInterfaces } from 'node:os'

/** Asked anew each time: addresses come and go. */
export function isOwnAddress(address: string): boolean {
  const own = new BlockList()
  for (const entry of Object.values(networkInterfaces()).flat()) {
    if (entry) own.addAddress(entry.address, entry.family === 'IPv4' ? 'ipv4' : 'ipv6')
  }
  return own.check(address, address.includes(':') ? 'ipv6' : 'ipv4')
}
