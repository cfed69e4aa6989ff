// Meaning besides words: the cosine of two embeddings counts as one more word of the question. A score is a
// share of what the question could score, so a fixed weight would overrule good matches of long questions,
// and hardly count in short ones.

/**
 * The model name stored with vectors of the built-in model. It contains the beginning of the file's digest,
 * so that vectors of another file are made again.
 */
export const BUILT_IN_MODEL = 'built-in-d7a6116b'

/**
 * How much meaning counts among a thousand documents, in units of a word's rarity: somewhat more than a word
 * that a single document has.
 */
const SHARE = 9
/** With more documents meaning counts less: words are rarer, and more documents are near by chance. */
const SHRINKS = { at: 1000, by: 0.2 }

export function meaningShare(documents: number): number {
  return SHARE * (SHRINKS.at / Math.max(1, documents)) ** SHRINKS.by
}

/**
 * The cosine that the nearest of this many items has with an unrelated question. It grows with the logarithm
 * of their number.
 */
export function chanceCosine(documents: number): number {
  return 0.07 * Math.log(Math.max(1, documents)) - 0.1
}

/** Rescales a cosine: `base`, which any two texts have, becomes 0, and 1 stays 1. */
export function aboveBase(cosine: number, base: number): number {
  return (cosine - base) / (1 - base)
}

/** The vector scaled to length one; undefined for a zero vector or one with infinite values. */
export function unitVector(values: ArrayLike<number>): Float32Array | undefined {
  let sum = 0
  for (let index = 0; index < values.length; index++) sum += values[index]! ** 2
  const length = Math.sqrt(sum)
  if (!Number.isFinite(length) || length === 0) return undefined
  // A loop, because `Float32Array.from` with a function takes forty times as long.
  const unit = new Float32Array(values.length)
  for (let index = 0; index < values.length; index++) unit[index] = values[index]! / length
  return unit
}
