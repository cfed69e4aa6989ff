// Text from elsewhere as our messages show it: of bounded length, on one line, with nothing hidden in it.
import { escapeHidden } from './escape-text.ts'

/** Enough to recognise a value, short enough for a sentence. Paths and addresses get more. */
const SHOWN_LENGTH = 80

/** In backticks: a text as it is, any other value as JSON. */
export function quoteText(value: unknown, most = SHOWN_LENGTH): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
  return `\`${shortenText(text, most)}\``
}

/** On one line, cut to `most` characters. */
export function shortenText(text: string, most = SHOWN_LENGTH): string {
  return escapeHidden(cutText(text, most), { oneLine: true })
}

/** The first line of what was thrown: libraries add excerpts and help below it. */
export function firstLineOf(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return message.split('\n', 1)[0]!.trimEnd()
}

/** The first `most` characters, and dots where something was cut. Half of a surrogate pair is never left over. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text
  const isPairCut = /[\ud800-\udbff]/.test(text.charAt(most - 1))
  return `${text.slice(0, isPairCut ? most - 1 : most)}...`
}
