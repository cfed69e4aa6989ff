import { isUtf8 } from 'node:buffer'

/** Whether a person can read it: UTF-8 without a zero byte. */
export function isText(bytes: Uint8Array): boolean {
  return isUtf8(bytes) && !bytes.includes(0)
}
