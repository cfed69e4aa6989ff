import { lazy } from './lazy.ts'

// Loaded with the first digest, to keep start-up fast.
const crypto = lazy(() => process.getBuiltinModule('node:crypto'))

/** SHA-256 in lower-case hex; a string is hashed as UTF-8. */
export function sha256Hex(content: Uint8Array | string): string {
  return crypto().hash('sha256', content, 'hex')
}
