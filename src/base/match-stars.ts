// Matches patterns with `*` using two indexes and the last star seen, so the work is at most the product of
// both lengths, whatever the pattern. A regular expression is never built from what a caller typed.

/** Whether the whole text matches: `*` is any number of characters, `anyOne` (if given) exactly one. */
export function matchesStars(pattern: string, text: string, anyOne = ''): boolean {
  let at = 0
  let read = 0
  let lastStar = -1
  let starRead = 0
  while (read < text.length) {
    const unit = pattern[at]
    if (unit === '*') {
      lastStar = at++
      starRead = read
    } else if (unit === text[read] || unit === anyOne) {
      at++
      read++
    } else if (lastStar !== -1) {
      at = lastStar + 1
      read = ++starRead
    } else {
      return false
    }
  }
  while (pattern[at] === '*') at++
  return at === pattern.length
}
