// Meaning beside words: the cosine of two embeddings, added to the score of the words with a small weight. Scores are fused,
// not ranks: equal ranks would let a poor list of neighbours push good word matches down.

/** What the cosine counts beside words, which count 1. */
export const VECTOR_WEIGHT = 0.3

/** A vector of length one, or undefined when it has no direction. */
export function unitVector(values: ArrayLike<number>): Float32Array | undefined {
  let sum = 0
  for (let index = 0; index < values.length; index++) sum += values[index]! ** 2
  const length = Math.sqrt(sum)
  if (!Number.isFinite(length) || length === 0) return undefined
  return Float32Array.from(values, value => value / length)
}

/** Rows of unit vectors one after another. */
export interface VectorTable {
  readonly docs: Uint32Array
  readonly rows: Float32Array
  readonly dimensions: number
}

/** The cosine of each row with a unit vector of as many dimensions. */
export function cosines(table: VectorTable, vector: Float32Array): Float32Array {
  const { docs, rows, dimensions } = table
  const found = new Float32Array(docs.length)
  for (let row = 0; row < docs.length; row++) {
    let sum = 0
    for (let index = 0, at = row * dimensions; index < dimensions; index++, at++)
      sum += rows[at]! * vector[index]!
    found[row] = sum
  }
  return found
}

/** The score of words and meaning together, in 0..1 as both are. */
export function fuseScores(words: number, cosine: number): number {
  return (words + VECTOR_WEIGHT * Math.max(0, Math.min(1, cosine))) / (1 + VECTOR_WEIGHT)
}
