// Edit distance that stops early, and the "did you mean" built on it.

/** Levenshtein distance of two words, or `limit + 1` as soon as it is known to exceed `limit`. */
export function editDistance(left: string, right: string, limit: number): number {
  const width = right.length
  if (Math.abs(left.length - width) > limit) return limit + 1
  let previous: number[] = []
  let current: number[] = []
  for (let j = 0; j <= width; j++) previous.push(j)
  for (let i = 1; i <= left.length; i++) {
    const letter = left.charCodeAt(i - 1)
    // Further from the diagonal the distance exceeds the limit anyway.
    const from = Math.max(1, i - limit)
    const to = Math.min(width, i + limit)
    let best = from === 1 ? i : limit + 1
    current[from - 1] = best
    for (let j = from; j <= to; j++) {
      const substitution = previous[j - 1]! + (letter === right.charCodeAt(j - 1) ? 0 : 1)
      const value = Math.min(substitution, previous[j]! + 1, current[j - 1]! + 1)
      current[j] = value
      if (value < best) best = value
    }
    if (best > limit) return limit + 1
    current[to + 1] = limit + 1
    const done = current
    current = previous
    previous = done
  }
  return Math.min(previous[width]!, limit + 1)
}

/** The candidates nearest to a mistyped word, best first; empty when nothing is near. */
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
