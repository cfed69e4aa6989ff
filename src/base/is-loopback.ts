/** Whether an address of this host, as `URL` has it, never leaves the machine. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)
}
