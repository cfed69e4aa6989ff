// Cuts texts for answers: at a word's end, with an ellipsis, never inside an escape or a surrogate pair.

/** At most `most` characters, including the ellipsis. */
export function cutAtWord(text: string, most: number): string {
  if (text.length <= most) return text
  const room = text.slice(0, Math.max(0, most - 1))
  const space = text[room.length] === ' ' ? room.length : room.lastIndexOf(' ')
  // A text without spaces is cut anywhere.
  const kept = space > room.length / 2 ? room.slice(0, space) : room
  const whole = kept.replace(/\\(?:u(?:\{[0-9a-f]{0,6})?)?$/, '').replace(/[\uD800-\uDBFF]$/, '')
  return `${whole.replace(/[\s,;:.…–-]+$/, '')}…`
}
