// A static embedding: a table with a row of numbers for each stem, in one file. system/model/README.md
// describes its format. Only a short header is parsed, and rows are read when they are first needed: a
// question has few words.
import { isRecord } from '../../base/index.ts'
import { findRow, StemTable } from './stem-table.ts'

const FORMAT = 'static-embedding-1'
/** How many rows are read at once: 16 KB of the built-in model. */
const BLOCK = 128
const LINE_BREAK = Buffer.from('\n')
/**
 * This many words are looked up one by one, at a fifth of a millisecond each. A question has few, and a table
 * of all stems takes 7 milliseconds to make.
 */
const FEW = 16
/** Each number has four bits; the stored value is higher by this. */
const MIDDLE = 8

export interface ModelFile {
  readonly size: number
  /** Throws when there are fewer bytes. */
  read(from: number, length: number): Buffer
}

interface Header {
  readonly rows: number
  readonly dim: number
  readonly scale: number
  readonly vocabularyBytes: number
  readonly analysis: number
}

export class StaticModel {
  readonly dimensions: number
  /** The version of the words that it has rows for: the `WORDS_VERSION` that it was made with. */
  readonly wordsVersion: number
  readonly #rowCount: number
  /** The stem of each row, with a line break before and after it. */
  readonly #stems: Buffer
  #lookups = 0
  #table: StemTable | undefined
  readonly #scales: Uint16Array
  readonly #scale: number
  readonly #file: ModelFile
  readonly #rowsAt: number
  /**
   * The blocks that were needed so far. V8 would count an array for all rows as memory in use, filled or not,
   * and a question would wait for garbage collection.
   */
  readonly #blocks: (Uint8Array | undefined)[]

  /** Throws a plain error for a file that is not such a model. */
  constructor(file: ModelFile) {
    const headerBytes = file.size < 4 ? 0 : file.read(0, 4).readUInt32LE()
    const header = readHeader(file.read(4, Math.max(0, Math.min(headerBytes, file.size - 4))))
    const { rows, dim } = header
    const vocabularyAt = 4 + headerBytes
    const scalesAt = vocabularyAt + 4 * Math.ceil(header.vocabularyBytes / 4)
    const rowsAt = scalesAt + 2 * rows
    const expected = rowsAt + (rows * dim) / 2
    if (file.size !== expected) throw new Error(`expected a model of ${expected} bytes, got ${file.size}`)
    this.dimensions = dim
    this.wordsVersion = header.analysis
    this.#scale = header.scale
    this.#rowCount = rows
    const stems = file.read(vocabularyAt, header.vocabularyBytes)
    this.#stems = Buffer.concat([LINE_BREAK, stems, LINE_BREAK])
    // A copy, because the bytes may not be aligned.
    this.#scales = new Uint16Array(new Uint8Array(file.read(scalesAt, rowsAt - scalesAt)).buffer)
    this.#file = file
    this.#rowsAt = rowsAt
    this.#blocks = Array.from({ length: Math.ceil(rows / BLOCK) })
  }

  /** The row of a stem, or -1. */
  rowOf(stem: string): number {
    if (this.#table === undefined && ++this.#lookups > FEW)
      this.#table = new StemTable(this.#stems, this.#rowCount)
    const row = this.#table ? this.#table.rowOf(stem) : findRow(this.#stems, stem)
    return row < this.#rowCount ? row : -1
  }

  /** Adds a row to a sum of as many numbers as there are dimensions. */
  addRow(sum: Float64Array, row: number, weight: number): void {
    const block = Math.floor(row / BLOCK)
    this.#blocks[block] ??= this.#read(block)
    const bytes = this.#blocks[block]!
    const factor = weight * this.#scales[row]! * this.#scale
    let from = ((row % BLOCK) * this.dimensions) >> 1
    for (let at = 0; at < sum.length; at += 2, from++) {
      const pair = bytes[from]!
      sum[at]! += ((pair & 15) - MIDDLE) * factor
      sum[at + 1]! += ((pair >> 4) - MIDDLE) * factor
    }
  }

  #read(block: number): Uint8Array {
    const first = block * BLOCK
    const rows = Math.min(BLOCK, this.#rowCount - first)
    return this.#file.read(this.#rowsAt + (first * this.dimensions) / 2, (rows * this.dimensions) / 2)
  }
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
