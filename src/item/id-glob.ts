// Patterns over ids: `*` and `?` within a segment, `**` across segments. Matched without a regular
// expression, in time linear in pattern and id. A pattern without a slash matches names at any depth:
// `deploy*` means `**/deploy*`.
import { matchesStars } from '../base/index.ts'

export function isGlob(text: string): boolean {
  return text.includes('*') || text.includes('?')
}

export function matchesGlob(pattern: string, id: string): boolean {
  return matchesFromStart(pattern.includes('/') ? pattern : `**/${pattern}`, id)
}

/** For a pattern that matches none of the ids: a wider one that does, in case deeper folders were meant. */
export function widerGlob(pattern: string, ids: readonly string[]): string | undefined {
  const slash = pattern.lastIndexOf('/')
  if (slash === -1) return undefined
  const [folder, name] = [pattern.slice(0, slash), pattern.slice(slash + 1)]
  const deeper = name === '*' ? `${folder}/**` : `${folder}/**/${name}`
  return [deeper, `**/${pattern}`].find(wider => ids.some(id => matchesGlob(wider, id)))
}

/**
 * Like `matchesGlob`, but a pattern without a slash also starts at the beginning of the id: `deploy*` does
 * not match `ops/deploy`.
 */
export function matchesFromStart(pattern: string, id: string): boolean {
  const segments = pattern.split('/')
  const words = id.split('/')
  // reachable[j]: the first i segments of the pattern can match the first j words of the id.
  let reachable = words.map(() => false)
  reachable = [true, ...reachable]
  for (const segment of segments) {
    const next = reachable.map(() => false)
    for (let j = 0; j <= words.length; j++) {
      if (segment === '**') next[j] = reachable[j]! || (j > 0 && next[j - 1]!)
      else next[j] = j > 0 && reachable[j - 1]! && matchesStars(segment, words[j - 1]!, '?')
    }
    reachable = next
  }
  return reachable[words.length]!
}
