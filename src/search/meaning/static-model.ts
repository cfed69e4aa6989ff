// A static embedding: a table with a row of numbers for each stem, read from one file. Its format is described beside it, in
// system/model/README.md. Nothing is parsed but a short header; rows stay as they are in the file until they are added.
import { isRecord } from '../../base/index.ts'

const FORMAT = 'static-embedding-1'
const BREAK = 10
/** Each number has four bits; the stored value is higher by this. */
const MIDDLE = 8

interface Header {
  readonly rows: number
  readonly dim: number
  readonly scale: number
  readonly vocabularyBytes: number
  readonly analysis: number
}

export class StaticModel {
  readonly dimensions: number
  /** The version of the words that it has rows for: `WORDS_VERSION` of those who made it. */
  readonly wordsVersion: number
  readonly #vocabulary: Uint8Array
  /** Where each stem begins in the vocabulary; one more at the end. */
  readonly #starts: Uint32Array
  /** A hash table of 1 + row, by the letters of its stem; 0 is free. */
  readonly #slots: Uint32Array
  readonly #scales: Uint16Array
  readonly #rows: Uint8Array
  readonly #scale: number

  /** Throws a plain error for bytes that are no such model. */
  constructor(bytes: Uint8Array) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    const headerBytes = bytes.length < 4 ? 0 : view.getUint32(0, true)
    const header = readHeader(bytes.subarray(4, 4 + headerBytes))
    const { rows, dim } = header
    const vocabularyAt = 4 + headerBytes
    const scalesAt = vocabularyAt + 4 * Math.ceil(header.vocabularyBytes / 4)
    const rowsAt = scalesAt + 2 * rows
    const expected = rowsAt + (rows * dim) / 2
    if (bytes.length !== expected)
      throw new Error(`expected a model of ${expected} bytes, got ${bytes.length}`)
    this.dimensions = dim
    this.wordsVersion = header.analysis
    this.#scale = header.scale
    this.#vocabulary = bytes.subarray(vocabularyAt, vocabularyAt + header.vocabularyBytes)
    this.#starts = new Uint32Array(rows + 1)
    this.#slots = new Uint32Array(2 ** Math.ceil(Math.log2(2 * rows + 1)))
    // A copy, because the bytes may not be aligned.
    this.#scales = new Uint16Array(new Uint8Array(bytes.subarray(scalesAt, rowsAt)).buffer)
    this.#rows = bytes.subarray(rowsAt)
    this.#indexStems(rows)
  }

  /** The row of a stem, or -1. */
  rowOf(stem: string): number {
    let hash = 0
    for (let at = 0; at < stem.length; at++) hash = Math.imul(hash ^ stem.charCodeAt(at), 0x9e3779b1)
    const mask = this.#slots.length - 1
    for (let slot = spread(hash) & mask; this.#slots[slot] !== 0; slot = (slot + 1) & mask) {
      const row = this.#slots[slot]! - 1
      if (this.#isStem(row, stem)) return row
    }
    return -1
  }

  /** Adds a row to a sum of as many numbers as there are dimensions. */
  addRow(sum: Float64Array, row: number, weight: number): void {
    const rows = this.#rows
    const factor = weight * this.#scales[row]! * this.#scale
    let from = (row * this.dimensions) >> 1
    for (let at = 0; at < sum.length; at += 2, from++) {
      const pair = rows[from]!
      sum[at]! += ((pair & 15) - MIDDLE) * factor
      sum[at + 1]! += ((pair >> 4) - MIDDLE) * factor
    }
  }

  #indexStems(rows: number): void {
    const vocabulary = this.#vocabulary
    const slots = this.#slots
    const mask = slots.length - 1
    let hash = 0
    let row = 0
    for (let at = 0; at <= vocabulary.length && row < rows; at++) {
      const byte = at === vocabulary.length ? BREAK : vocabulary[at]!
      if (byte !== BREAK) {
        hash = Math.imul(hash ^ byte, 0x9e3779b1)
        continue
      }
      let slot = spread(hash) & mask
      while (slots[slot] !== 0) slot = (slot + 1) & mask
      slots[slot] = ++row
      this.#starts[row] = at + 1
      hash = 0
    }
    if (row < rows) throw new Error(`expected a model of ${rows} words, got ${row}`)
  }

  #isStem(row: number, stem: string): boolean {
    const start = this.#starts[row]!
    if (this.#starts[row + 1]! - 1 - start !== stem.length) return false
    for (let at = 0; at < stem.length; at++)
      if (this.#vocabulary[start + at] !== stem.charCodeAt(at)) return false
    return true
  }
}

/** The high bits of a product are the best mixed. */
function spread(hash: number): number {
  return hash ^ (hash >>> 15)
}

function readHeader(bytes: Uint8Array): Header {
  const header: unknown = JSON.parse(Buffer.from(bytes).toString('latin1') || 'null')
  if (!isRecord(header) || header.format !== FORMAT || header.bits !== 4)
    throw new Error(`expected a model of the format \`${FORMAT}\` with 4 bits a number`)
  const { rows, dim, scale, vocabularyBytes, analysis } = header
  const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0
  if (!isCount(rows) || !isCount(dim) || dim % 8 !== 0 || !isCount(vocabularyBytes) || !isCount(analysis))
    throw new Error('expected a model with counts of rows, numbers and bytes in its header')
  if (typeof scale !== 'number' || !(scale > 0)) throw new Error('expected a model with a scale above 0')
  return { rows, dim, scale, vocabularyBytes, analysis }
}
