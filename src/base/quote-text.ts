// Text from elsewhere as our messages show it: length-limited, on one line, hidden characters escaped.
import { escapeHidden } from './escape-text.ts'

/** Enough to recognise a value, short enough for a sentence. Paths and addresses get more. */
const SHOWN_LENGTH = 80

/** A value in backticks: a string as it is, anything else as JSON. */
export function quoteText(value: unknown, most = SHOWN_LENGTH): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
  return `\`${shortenText(text, most)}\``
}

/** On one line, cut to `most` characters. */
export function shortenText(text: string, most = SHOWN_LENGTH): string {
  return escapeHidden(cutText(text, most), { oneLine: true })
}

/** The first line of a thrown error's message. Libraries add excerpts and help below it. */
export function firstLineOf(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return message.split('\n', 1)[0]!.trimEnd()
}

/** The first `most` characters, and dots if some were cut. Never leaves half a surrogate pair. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text
  const isPairCut = /[\ud800-\udbff]/.test(text.charAt(most - 1))
  return `${text.slice(0, isPairCut ? most - 1 : most)}...`
}
