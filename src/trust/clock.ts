// Clocks of different machines differ: a time that somebody else wrote may be this far ahead.
const CLOCK_SKEW_MS = 5 * 60_000

export function isFuture(timestamp: string, now: Date): boolean {
  return Date.parse(timestamp) > now.getTime() + CLOCK_SKEW_MS
}
