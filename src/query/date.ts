// Dates and times in ISO 8601, read without the clock or the local time zone: a time without a zone is UTC,
// and a date alone is its whole day, so `date_to: 2024-12-31` includes 31 December.

export interface Moment {
  /** First and last millisecond, since 1970. */
  readonly first: number
  readonly last: number
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/
const TIME = /^[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?) ?(Z|[+-]\d{2}:?\d{2})?$/
const DATE_LENGTH = 10
const DAY_MS = 86_400_000

/** Reads dates in requests and in items alike, so that a filter matches items with the same date. */
export function parseMoment(text: string): Moment | undefined {
  const trimmed = text.trim()
  const date = DATE.exec(trimmed.slice(0, DATE_LENGTH))
  if (date === null) return undefined
  const [year, month, day] = [Number(date[1]), Number(date[2]), Number(date[3])]
  const midnight = Date.UTC(year, month - 1, day)
  // `Date.UTC` rolls 30 February over into March, and reads years below 100 as 19xx.
  if (new Date(midnight).toISOString().slice(0, DATE_LENGTH) !== date[0]) return undefined
  if (trimmed.length === DATE_LENGTH) return { first: midnight, last: midnight + DAY_MS - 1 }

  const time = TIME.exec(trimmed.slice(DATE_LENGTH))
  if (time === null) return undefined
  const moment = Date.parse(`${date[0]}T${time[1]}${time[2] ?? 'Z'}`)
  return Number.isNaN(moment) ? undefined : { first: moment, last: moment }
}
