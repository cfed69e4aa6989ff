// The wildcard matcher: two pointers and the last `*` seen, so the work is bounded by the word's length squared, whatever the
// pattern. No regular expression is ever built from what a caller typed.

/** Whether a whole word matches a pattern in which `*` stands for any number of characters. Both are case-folded. */
export function matchesWildcard(pattern: string, word: string): boolean {
  let at = 0
  let read = 0
  let lastStar = -1
  let starRead = 0
  while (read < word.length) {
    if (pattern[at] === '*') {
      lastStar = at++
      starRead = read
    } else if (pattern[at] === word[read]) {
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
