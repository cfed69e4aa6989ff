// Edit distance with an early end, and the "did you mean" built on it.

/** Levenshtein distance of two words, or `limit + 1` as soon as it is known to be larger than `limit`. */
export function editDistance(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) > limit) return limit + 1
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let i = 1; i <= left.length; i++) {
    const current = [i]
    let best = i
    for (let j = 1; j <= right.length; j++) {
      const substitution = previous[j - 1]! + (left[i - 1] === right[j - 1] ? 0 : 1)
      const value = Math.min(substitution, previous[j]! + 1, current[j - 1]! + 1)
      current.push(value)
      if (value < best) best = value
    }
    if (best > limit) return limit + 1
    previous = current
  }
  return Math.min(previous[right.length]!, limit + 1)
}

/** The candidates nearest to a mistyped word, best first; none when nothing is near. */
export function nearest(word: string, candidates: Iterable<string>, most = 3): string[] {
  const limit = Math.max(1, Math.min(3, Math.ceil(word.length / 3)))
  const lower = word.toLowerCase()
  const scored: { candidate: string; distance: number }[] = []
  for (const candidate of new Set(candidates)) {
    const distance = editDistance(lower, candidate.toLowerCase(), limit)
    if (distance <= limit) scored.push({ candidate, distance })
  }
  scored.sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1))
  return scored.slice(0, most).map(entry => entry.candidate)
}
