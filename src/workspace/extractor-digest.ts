// Digests of extractors. The index depends on them as well as on the files: when an extractor changes, all
// files of its type are read again.
import { sha256Hex } from '../base/index.ts'
import type { Extractor, Extractors } from '../extract/index.ts'

/** Extractors are read once and shared by spaces and refreshes, so each is digested once. */
const DIGESTS = new WeakMap<Extractor, string>()

/** By type. */
export function digestExtractors(extractors: Extractors): ReadonlyMap<string, string> {
  return new Map([...extractors].map(([type, extractor]) => [type, digestExtractor(extractor)]))
}

/** Kept short, as it is stored with every file of the index. */
export function digestExtractor(extractor: Extractor): string {
  const known = DIGESTS.get(extractor)
  if (known !== undefined) return known
  const printed = JSON.stringify(extractor, (_key, value) => (value instanceof Map ? [...value] : value))
  const digest = sha256Hex(printed).slice(0, 8)
  DIGESTS.set(extractor, digest)
  return digest
}
