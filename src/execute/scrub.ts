// Takes declared secrets out of what a tool answered. Keys are scrubbed like values.
import type { JsonValue } from '../base/index.ts'

const MARK = '[secret]'
/** A shorter value is as likely an ordinary word; replacing it would spoil answers and protect nothing. */
const SHORTEST = 4

export type Scrubber = <T extends JsonValue>(value: T) => T

export function createScrubber(secrets: readonly string[]): Scrubber {
  // Longest first: a secret that contains another must go whole.
  const hidden = [...new Set(secrets)]
    .filter(secret => secret.length >= SHORTEST)
    .flatMap(secret => [...new Set([secret, JSON.stringify(secret).slice(1, -1)])])
    .sort((left, right) => right.length - left.length)
  if (hidden.length === 0) return value => value
  const scrubText = (text: string) => hidden.reduce((shown, secret) => shown.replaceAll(secret, MARK), text)
  const scrub = (value: JsonValue): JsonValue => {
    if (typeof value === 'string') return scrubText(value)
    if (Array.isArray(value)) return value.map(scrub)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [scrubText(key), scrub(entry)]))
  }
  // The shape stays: only strings are replaced, by strings.
  return value => scrub(value) as typeof value
}
