// Similarity of meaning: the cosine of two embeddings, added to the score of the words with a small weight. Scores are
// combined, not ranks: by rank, a poor list of neighbours would push good word matches down.

/** The weight of the cosine; that of words is 1. */
const VECTOR_WEIGHT = 0.3

/** The vector scaled to length one; undefined for a zero vector or one with infinite values. */
export function unitVector(values: ArrayLike<number>): Float32Array | undefined {
  let sum = 0
  for (let index = 0; index < values.length; index++) sum += values[index]! ** 2
  const length = Math.sqrt(sum)
  if (!Number.isFinite(length) || length === 0) return undefined
  return Float32Array.from(values, value => value / length)
}

/** Unit vectors, one after another in `rows`. */
export interface VectorTable {
  readonly docs: Uint32Array
  readonly rows: Float32Array
  readonly dimensions: number
}

/** The cosine of each row with a unit vector of the same dimensions. */
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

/** The score of words and meaning together; from 0 to 1, as both are. */
export function fuseScores(words: number, cosine: number): number {
  return (words + VECTOR_WEIGHT * Math.max(0, Math.min(1, cosine))) / (1 + VECTOR_WEIGHT)
}
