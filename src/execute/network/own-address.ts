// Whether an address leads back to this machine. Its public addresses do, too: a service that listens on all
// addresses is often closed to others only by a firewall, which does not stop this machine itself.
import { BlockList } from 'node:net'
import { networkInterfaces } from 'node:os'

/** Looked up each time, because addresses come and go. */
export function isOwnAddress(address: string): boolean {
  const own = new BlockList()
  for (const entry of Object.values(networkInterfaces()).flat()) {
    if (entry) own.addAddress(entry.address, entry.family === 'IPv4' ? 'ipv4' : 'ipv6')
  }
  return own.check(address, address.includes(':') ? 'ipv6' : 'ipv4')
}
