import { hash } from 'node:crypto'

/** SHA-256 in lower-case hex; a string is hashed as UTF-8. */
export function sha256Hex(content: Uint8Array | string): string {
  return hash('sha256', content, 'hex')
}
