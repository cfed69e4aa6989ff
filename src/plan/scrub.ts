// Removes secrets from everything that is shown, from keys as well as from values.
import { isRecord, type JsonValue } from '../base/index.ts'

const MARK = '[secret]'
/** Shorter values occur in ordinary text; removing them would garble it and protect nothing. */
const MIN_LENGTH = 4

export type Scrubber = <T extends JsonValue>(value: T) => T

export function createScrubber(secrets: readonly string[]): Scrubber {
  // Longest first, so that a secret that contains another is removed as a whole. Inside JSON a secret may be
  // escaped.
  const hidden = [...new Set(secrets)]
    .filter(secret => secret.length >= MIN_LENGTH)
    .flatMap(secret => [...new Set([secret, JSON.stringify(secret).slice(1, -1)])])
    .sort((left, right) => right.length - left.length)
  if (hidden.length === 0) return value => value
  const scrubText = (text: string) => hidden.reduce((shown, secret) => shown.replaceAll(secret, MARK), text)
  const scrub = (value: JsonValue): JsonValue => {
    if (typeof value === 'string') return scrubText(value)
    if (Array.isArray(value)) return value.map(scrub)
    if (!isRecord(value)) return value
    // A record among JSON values holds JSON values.
    return Object.fromEntries(
      Object.entries(value).map(([key, entry]) => [scrubText(key), scrub(entry as JsonValue)]),
    )
  }
  // The shape stays the same: texts are only replaced by texts.
  return value => scrub(value) as typeof value
}
