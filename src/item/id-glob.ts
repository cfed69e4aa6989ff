// Patterns over ids: `*` and `?` within a segment, `**` across segments. Linear in both, no regular expression.
// A pattern without a slash matches names at any depth: `deploy*` means `**/deploy*`.

export function isGlob(text: string): boolean {
  return text.includes('*') || text.includes('?')
}

export function matchesGlob(pattern: string, id: string): boolean {
  const segments = pattern.includes('/') ? pattern.split('/') : ['**', pattern]
  const words = id.split('/')
  // reachable[j]: the first i segments of the pattern can match the first j words of the id.
  let reachable = words.map(() => false)
  reachable = [true, ...reachable]
  for (const segment of segments) {
    const next = reachable.map(() => false)
    for (let j = 0; j <= words.length; j++) {
      if (segment === '**') next[j] = reachable[j]! || (j > 0 && next[j - 1]!)
      else next[j] = j > 0 && reachable[j - 1]! && matchesSegment(segment, words[j - 1]!)
    }
    reachable = next
  }
  return reachable[words.length]!
}

/** Two pointers: on a mismatch, the last `*` matches one more character. */
function matchesSegment(pattern: string, word: string): boolean {
  let p = 0
  let w = 0
  let star = -1
  let resume = 0
  while (w < word.length) {
    if (p < pattern.length && (pattern[p] === '?' || (pattern[p] === word[w] && pattern[p] !== '*'))) {
      p += 1
      w += 1
    } else if (pattern[p] === '*') {
      star = p
      resume = w
      p += 1
    } else if (star !== -1) {
      p = star + 1
      resume += 1
      w = resume
    } else {
      return false
    }
  }
  while (pattern[p] === '*') p += 1
  return p === pattern.length
}
