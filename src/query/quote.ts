import { escapeHidden } from '../base/index.ts'

const SHOWN_CHARACTERS = 60

/** A piece of input for a message: in backticks, on one line, shortened, hidden characters escaped. */
export function quote(text: string): string {
  const more = text.length > SHOWN_CHARACTERS ? '...' : ''
  return `\`${escapeHidden(text.slice(0, SHOWN_CHARACTERS), { oneLine: true })}${more}\``
}
