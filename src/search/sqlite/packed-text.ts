// How texts are stored. Long ones are compressed: they are most of an index of skills, and are read only for
// the few previews of an answer. Short ones stay as they are, since unpacking takes longer than reading one.
import { lazy } from '../../base/index.ts'
import { DamagedIndex } from '../match/postings/damaged-index.ts'

const zlib = lazy(() => process.getBuiltinModule('node:zlib'))
const SHORT = 4096
/** More than any item has; a text that claims to be longer is damaged. */
const MAX_BYTES = 64_000_000

export function packText(text: string): string | Uint8Array {
  if (text.length <= SHORT) return text
  // A copy, because the buffer that zlib returns is the beginning of a larger one.
  return new Uint8Array(zlib().deflateRawSync(text, { level: 3 }))
}

export function unpackText(stored: string | Uint8Array): string {
  if (typeof stored === 'string') return stored
  try {
    return zlib().inflateRawSync(stored, { maxOutputLength: MAX_BYTES }).toString('utf8')
  } catch (cause) {
    throw new DamagedIndex('a text cannot be unpacked', { cause })
  }
}
