// Which texts are spelled much the same: by the share of characters in common blocks, the longest block first.

/** At most `most` of the texts whose likeness is at least `least`, between 0 and 1; the likest first. */
export function findSimilar(wanted: string, texts: Iterable<string>, most: number, least: number): string[] {
  const found: { text: string; score: number }[] = []
  for (const text of texts) {
    if (highestLikeness(wanted, text) < least) continue
    const score = likeness(wanted, text)
    if (score >= least) found.push({ text, score })
  }
  found.sort((left, right) => right.score - left.score || (left.text < right.text ? 1 : -1))
  return found.slice(0, most).map(({ text }) => text)
}

function likeness(left: string, right: string): number {
  const total = left.length + right.length
  return total === 0 ? 1 : (2 * commonLength(left, right)) / total
}

/** A bound that costs little: what the two have in common in any order. */
function highestLikeness(left: string, right: string): number {
  const counts = new Map<string, number>()
  for (const character of right) counts.set(character, (counts.get(character) ?? 0) + character.length)
  let common = 0
  for (const character of left) {
    const count = counts.get(character) ?? 0
    if (count === 0) continue
    counts.set(character, count - character.length)
    common += character.length
  }
  const total = left.length + right.length
  return total === 0 ? 1 : (2 * common) / total
}

/** Characters in the longest common block, in the longest to its left and right, and so on. */
function commonLength(left: string, right: string): number {
  let common = 0
  const pending: [string, string][] = [[left, right]]
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const [first, second] = pair
    const { at, from, length } = longestBlock(first, second)
    if (length === 0) continue
    common += length
    pending.push([first.slice(0, at), second.slice(0, from)])
    pending.push([first.slice(at + length), second.slice(from + length)])
  }
  return common
}

function longestBlock(left: string, right: string): { at: number; from: number; length: number } {
  let best = { at: 0, from: 0, length: 0 }
  let before = new Uint16Array(right.length + 1)
  for (let at = 0; at < left.length; at++) {
    const lengths = new Uint16Array(right.length + 1)
    for (let from = 0; from < right.length; from++) {
      if (left[at] !== right[from]) continue
      const length = before[from]! + 1
      lengths[from + 1] = length
      if (length > best.length) best = { at: at - length + 1, from: from - length + 1, length }
    }
    before = lengths
  }
  return best
}
