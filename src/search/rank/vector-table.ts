// The vectors of all documents of a space. Each number takes one byte, and each vector has its own scale,
// without measurable loss. Signatures, made of the signs, quickly tell which vectors may be near.
import type { Engine } from './signature-engines.ts'
import { Signatures, signatureOf, signatureSize } from './signatures.ts'

/** The bytes of the scale, a 32-bit float before the numbers. */
const SCALE_SIZE = 4
const MOST = 127

/** The bytes of a packed vector. */
export function packedSize(dimensions: number): number {
  return SCALE_SIZE + dimensions
}

export function packVector(vector: Float32Array): Uint8Array {
  const packed = new Uint8Array(packedSize(vector.length))
  const most = vector.reduce((highest, value) => Math.max(highest, Math.abs(value)), 0)
  if (most === 0) return packed
  new Float32Array(packed.buffer, 0, 1)[0] = most / MOST
  const numbers = new Int8Array(packed.buffer, SCALE_SIZE)
  for (let at = 0; at < vector.length; at++) numbers[at] = Math.round((vector[at]! / most) * MOST)
  return packed
}

/** The signature of a packed vector. */
export function packedSignature(packed: Uint8Array, dimensions: number): Uint8Array {
  return signatureOf(new Int8Array(packed.buffer, packed.byteOffset + SCALE_SIZE, dimensions))
}

/** By document number; a document without a vector is at right angles to everything. */
export class VectorTable {
  readonly dimensions: number
  readonly signatures: Signatures
  /** How many documents it has room for. */
  readonly capacity: number
  /** The bytes from one row to the next: a multiple of four, so that scales are aligned. */
  readonly #step: number
  readonly #rows: Uint8Array
  readonly #numbers: Int8Array
  readonly #scales: Float32Array
  #filled = 0

  constructor(capacity: number, dimensions: number, engine?: Engine) {
    this.capacity = capacity
    this.dimensions = dimensions
    this.signatures = new Signatures(capacity, signatureSize(dimensions), engine)
    this.#step = 4 * Math.ceil(packedSize(dimensions) / 4)
    this.#rows = new Uint8Array(capacity * this.#step)
    this.#numbers = new Int8Array(this.#rows.buffer)
    this.#scales = new Float32Array(this.#rows.buffer)
  }

  get isEmpty(): boolean {
    return this.#filled === 0
  }

  /**
   * Stores the packed vector and the signature of a document, or of several from `first` on, if the size of a
   * packed vector is a multiple of four. Throws a `RangeError` when they do not fit.
   */
  put(first: number, vectors: Uint8Array, signatures: Uint8Array): void {
    this.#rows.set(vectors, first * this.#step)
    this.signatures.bytes.set(signatures, first * signatureSize(this.dimensions))
    this.#filled += signatures.length
  }

  /** The cosine of a document's vector with a unit vector. */
  cosine(doc: number, vector: Float64Array): number {
    const numbers = this.#numbers
    const first = doc * this.#step + SCALE_SIZE
    const whole = vector.length & ~3
    // Four sums, because each addition waits for the one before it.
    let a = 0
    let b = 0
    let c = 0
    let d = 0
    for (let at = 0; at < whole; at += 4) {
      a += numbers[first + at]! * vector[at]!
      b += numbers[first + at + 1]! * vector[at + 1]!
      c += numbers[first + at + 2]! * vector[at + 2]!
      d += numbers[first + at + 3]! * vector[at + 3]!
    }
    for (let at = whole; at < vector.length; at++) a += numbers[first + at]! * vector[at]!
    return (a + b + c + d) * this.#scales[(doc * this.#step) >> 2]!
  }
}
