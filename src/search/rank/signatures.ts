// The signs of many vectors as bits, and how many differ from those of a question: a fast estimate of the angle between them.
// Signatures are compared by a few instructions of WebAssembly, ten times as fast as JavaScript can count bits.
import { lazy } from '../../base/index.ts'
import { popCount } from '../match/bits.ts'

/** As much of it as is used here: the types of Node leave it to those of browsers. */
declare const WebAssembly: {
  readonly Memory: new (size: { readonly initial: number }) => { readonly buffer: ArrayBuffer }
  readonly Module: new (code: Uint8Array) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: Omit<OpenEngine, 'buffer'> }
}

/** Signatures are compared in blocks of this many bytes, and padded to it. */
const BLOCK = 32
const PAGE = 65_536
/** Eight items are compared at once: their counts are added up in three levels. */
const LEVELS = 3
const TOGETHER = 2 ** LEVELS
/** Scores are added to in parts of so many documents, which stay near the processor. */
const AT_ONCE = 4096

/** The bytes of a signature of so many numbers. */
export function signatureSize(dimensions: number): number {
  return BLOCK * Math.ceil(dimensions / (8 * BLOCK))
}

/** A bit for each number above zero. */
export function signatureOf(numbers: ArrayLike<number>): Uint8Array {
  const bits = new Uint8Array(signatureSize(numbers.length))
  for (let at = 0; at < numbers.length; at++) if (numbers[at]! > 0) bits[at >> 3]! |= 1 << (at & 7)
  return bits
}

/** The signatures of all documents of a space, by document number. */
export class Signatures {
  /** One after another; to be filled in. */
  readonly bytes: Uint8Array
  /** How many bits of each differ from the question that was compared last. */
  readonly distances: Uint16Array
  readonly #question: Uint8Array
  readonly #estimates: Float64Array
  readonly #scores: Float64Array
  readonly #chosen: Uint32Array
  readonly #size: number
  readonly #engine: OpenEngine

  constructor(capacity: number, size: number, engine: Engine = pickEngine(capacity)) {
    const places = TOGETHER * Math.ceil(capacity / TOGETHER)
    const [question, estimates, scores, chosen, distances, bytes] = takeTurns([
      size,
      8 * (8 * size + 1),
      8 * AT_ONCE,
      4 * AT_ONCE,
      2 * places,
      size * places,
    ])
    this.#size = size
    this.#engine = engine(bytes!.end)
    const { buffer } = this.#engine
    this.#question = new Uint8Array(buffer, question!.start, size)
    this.#estimates = new Float64Array(buffer, estimates!.start, 8 * size + 1)
    this.#scores = new Float64Array(buffer, scores!.start, AT_ONCE)
    this.distances = new Uint16Array(buffer, distances!.start, capacity)
    this.#chosen = new Uint32Array(buffer, chosen!.start, AT_ONCE)
    this.bytes = new Uint8Array(buffer, bytes!.start, size * capacity)
  }

  /** Fills in the distances. */
  compare(question: Uint8Array): void {
    this.#question.set(question)
    this.distances.fill(0)
    if (this.bytes.length === 0) return
    const first = this.bytes.byteOffset
    for (let block = 0; block < this.#size; block += BLOCK) {
      const end = first + this.bytes.length + block
      this.#engine.compare(first + block, this.#size, end, block, this.distances.byteOffset)
    }
  }

  /**
   * Scores, of which `words` is kept, plus an estimate by the distance of each document. Gives the documents whose score is then `least` or
   * more.
   */
  addEstimates(
    scores: Float64Array,
    { estimates, words, least }: { estimates: Float64Array; words: number; least: number },
  ): number[] {
    this.#estimates.set(estimates)
    const [score, chosen] = [this.#scores.byteOffset, this.#chosen.byteOffset]
    const docs: number[] = []
    for (let first = 0; first < scores.length; first += AT_ONCE) {
      const part = scores.subarray(first, first + AT_ONCE)
      this.#scores.set(part)
      const distance = this.distances.byteOffset + 2 * first
      const estimate = this.#estimates.byteOffset
      const end = this.#engine.add(score, score + 8 * part.length, distance, estimate, words, least, chosen)
      part.set(this.#scores.subarray(0, part.length))
      for (let at = 0; at < (end - chosen) >> 2; at++) docs.push(first + this.#chosen[at]!)
    }
    return docs
  }
}

/** Where each of several parts lies that follow one another, with room to load sixteen bytes at once. */
function takeTurns(sizes: readonly number[]): { start: number; end: number }[] {
  let next = 0
  return sizes.map(size => {
    const start = next
    next += 16 * Math.ceil(size / 16)
    return { start, end: next }
  })
}

/** Adds to each 16-bit number from `to` on how many bits of a block differ: from `item` to `end` in steps, and at `question`. */
type Compare = (item: number, step: number, end: number, question: number, to: number) => void

/** Scores from `score` to `end` become `words` times as much, and what `estimates` has for the distance; writes the numbers of those
 * that reach `least` to `chosen`, and gives where they end. */
type Add = (
  score: number,
  end: number,
  distance: number,
  estimates: number,
  words: number,
  least: number,
  chosen: number,
) => number

interface OpenEngine {
  readonly buffer: ArrayBuffer
  readonly compare: Compare
  readonly add: Add
}

export type Engine = (bytes: number) => OpenEngine

/** As many are compared sooner than a module is made. */
const FEW = 200

/** A process that may not make code, started with `--jitless`, has no WebAssembly. */
function pickEngine(capacity: number): Engine {
  return capacity <= FEW || typeof WebAssembly === 'undefined' ? plainEngine : wasmEngine
}

export const plainEngine: Engine = bytes => {
  const buffer = new ArrayBuffer(8 * Math.ceil(bytes / 8))
  const words32 = new Uint32Array(buffer)
  const counts = new Uint16Array(buffer)
  const numbers = new Float64Array(buffer)
  const compare: Compare = (item, step, end, question, to) => {
    for (let at = item, count = to >> 1; at < end; at += step, count++)
      for (let word = 0; word < BLOCK >> 2; word++)
        counts[count]! += popCount(words32[(at >> 2) + word]! ^ words32[(question >> 2) + word]!)
  }
  const add: Add = (score, end, distance, estimates, words, least, chosen) => {
    let next = chosen >> 2
    for (let at = score >> 3, doc = 0; at < end >> 3; at++, doc++) {
      const value = numbers[at]! * words + numbers[(estimates >> 3) + counts[(distance >> 1) + doc]!]!
      numbers[at] = value
      if (value >= least) words32[next++] = doc
    }
    return next << 2
  }
  return { buffer, compare, add }
}

export const wasmEngine: Engine = bytes => {
  const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE) })
  const { exports } = new WebAssembly.Instance(wasmModule(), { host: { memory } })
  return { buffer: memory.buffer, ...exports }
}

// What follows are instructions, as the specification of WebAssembly numbers them.
const get = (variable: number) => [0x20, variable]
const set = (variable: number) => [0x21, variable]
const keep = (variable: number) => [0x22, variable]
const constant = (value: number) => [0x41, value]
const [LOOP, IF, END, AGAIN] = [[0x03, 0x40], [0x04, 0x40], [0x0b], [0x0d, 0]]
const [I32_ADD, I32_BELOW, I32_SHIFT] = [0x6a, 0x49, 0x74]
const [I32_STORE, LOAD_16] = [
  [0x36, 2, 0],
  [0x2f, 1, 0],
]
const [F64_LOAD, F64_STORE, F64_MULTIPLY, F64_ADD, F64_LEAST] = [[0x2b, 3, 0], [0x39, 3, 0], 0xa2, 0xa0, 0x66]
const increase = (variable: number, by: readonly number[]) => [
  ...get(variable),
  ...by,
  I32_ADD,
  ...set(variable),
]
// Sixteen bytes at once.
const load = (offset: number) => [0xfd, 0x00, 4, offset]
const STORE = [0xfd, 0x0b, 4, 0]
const [XOR, POPCNT] = [
  [0xfd, 0x51],
  [0xfd, 0x62],
]
const [ADD_BYTES, ADD_PAIRS, ADD_16] = [
  [0xfd, 0x6e],
  [0xfd, 0x7d],
  [0xfd, 0x8e, 0x01],
]
/** Every other byte of two values, from the first or the second on. */
const everyOther = (from: 0 | 1) => [0xfd, 0x0d, ...Array.from({ length: 16 }, (_, at) => 2 * at + from)]

function compareBody(): number[] {
  const [item, step, end, question, to, first, second, left] = [0, 1, 2, 3, 4, 5, 6, 7]
  const right = left + LEVELS
  /** The bits of half of a block that differ from the question's, counted byte by byte. */
  const differing = (half: number, offset: number) => [
    ...[...get(half), ...get(item), ...load(offset)],
    ...[...XOR, ...POPCNT],
  ]
  /** The counts of one item, or of twice as many for each level, of which each has as many of the sixteen bytes. */
  const counts = (level: number): number[] => {
    if (level === 0)
      return [
        ...[...differing(first, 0), ...differing(second, BLOCK / 2), ...ADD_BYTES],
        ...increase(item, get(step)),
      ]
    const [ours, others] = [left + level - 1, right + level - 1]
    const both = [...get(ours), ...get(others)]
    return [
      ...[...counts(level - 1), ...set(ours), ...counts(level - 1), ...set(others)],
      ...[...both, ...everyOther(0), ...both, ...everyOther(1), ...ADD_BYTES],
    ]
  }
  return [
    // Variables of 128 bits: the halves of the question's block, and what is added up at each level.
    ...[1, 2 + 2 * LEVELS, 0x7b],
    ...[...get(question), ...load(0), ...set(first)],
    ...[...get(question), ...load(BLOCK / 2), ...set(second)],
    ...LOOP,
    // Eight numbers of 16 bits: to = to + the counts of eight items
    ...[...get(to), ...get(to), ...load(0), ...counts(LEVELS), ...ADD_PAIRS, ...ADD_16, ...STORE],
    ...increase(to, constant(16)),
    ...[...get(item), ...get(end), I32_BELOW, ...AGAIN],
    ...[...END, ...END],
  ]
}

function addBody(): number[] {
  const [score, end, distance, estimates, words, least, chosen, value, doc] = [0, 1, 2, 3, 4, 5, 6, 7, 8]
  return [
    // Variables: a number of 64 bits, and one of 32.
    ...[2, 1, 0x7c, 1, 0x7f],
    ...LOOP,
    // value = score * words + the estimate for the distance
    ...[...get(score), ...get(score), ...F64_LOAD, ...get(words), F64_MULTIPLY],
    ...[...get(estimates), ...get(distance), ...LOAD_16, ...constant(3), I32_SHIFT, I32_ADD, ...F64_LOAD],
    ...[F64_ADD, ...keep(value), ...F64_STORE],
    ...[...get(value), ...get(least), F64_LEAST, ...IF],
    ...[...get(chosen), ...get(doc), ...I32_STORE, ...increase(chosen, constant(4))],
    ...END,
    ...[...increase(doc, constant(1)), ...increase(distance, constant(2)), ...increase(score, constant(8))],
    ...[...get(score), ...get(end), I32_BELOW, ...AGAIN],
    ...[...END, ...get(chosen), ...END],
  ]
}

const text = (value: string) => [value.length, ...Buffer.from(value)]
/** Lengths are of fourteen bits. */
const sized = (content: readonly number[]) => [
  0x80 | (content.length & 0x7f),
  content.length >> 7,
  ...content,
]
const section = (id: number, content: readonly number[]) => [id, ...sized(content)]
const [I32, F64] = [0x7f, 0x7c]

const wasmModule = lazy(
  () =>
    new WebAssembly.Module(
      Uint8Array.from([
        ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
        // The types of `compare` and `add`.
        ...section(1, [
          ...[2, 0x60, 5, I32, I32, I32, I32, I32, 0],
          ...[0x60, 7, I32, I32, I32, I32, F64, F64, I32, 1, I32],
        ]),
        ...section(2, [1, ...text('host'), ...text('memory'), 2, 0, 0]),
        ...section(3, [2, 0, 1]),
        ...section(7, [2, ...text('compare'), 0, 0, ...text('add'), 0, 1]),
        ...section(10, [2, ...sized(compareBody()), ...sized(addBody())]),
      ]),
    ),
)
