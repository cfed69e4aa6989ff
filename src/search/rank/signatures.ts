// The signs of many vectors as bits, and how many differ from those of a question: a fast estimate of the angle between them.
// Signatures are compared by a few instructions of WebAssembly, ten times as fast as JavaScript can count bits.
import { lazy } from '../../base/index.ts'
import { popCount } from '../match/bits.ts'

/** As much of it as is used here: the types of Node leave it to those of browsers. */
declare const WebAssembly: {
  readonly Memory: new (size: { readonly initial: number }) => { readonly buffer: ArrayBuffer }
  readonly Module: new (code: Uint8Array) => object
  readonly Instance: new (
    module: object,
    imports: object,
  ) => { readonly exports: { readonly compare: Compare } }
}

/** Signatures are compared in blocks of this many bytes, and padded to it. */
const BLOCK = 32
const PAGE = 65_536

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
  readonly #question: Uint8Array
  readonly #distances: Uint16Array
  readonly #size: number
  readonly #compare: Compare

  constructor(capacity: number, size: number, engine: Engine = pickEngine(capacity)) {
    // The question, then the distances, then the signatures.
    const distancesAt = size
    const signaturesAt = distancesAt + 8 * Math.ceil(capacity / 4)
    const { buffer, compare } = engine(signaturesAt + capacity * size)
    this.#size = size
    this.#compare = compare
    this.#question = new Uint8Array(buffer, 0, size)
    this.#distances = new Uint16Array(buffer, distancesAt, capacity)
    this.bytes = new Uint8Array(buffer, signaturesAt, capacity * size)
  }

  /** How many bits of each signature differ from the question's. The array is used again by the next call. */
  distances(question: Uint8Array): Uint16Array {
    this.#question.set(question)
    this.#distances.fill(0)
    if (this.bytes.length === 0) return this.#distances
    const first = this.bytes.byteOffset
    for (let block = 0; block < this.#size; block += BLOCK) {
      const end = first + this.bytes.length + block
      this.#compare(first + block, this.#size, end, block, this.#distances.byteOffset)
    }
    return this.#distances
  }
}

/** Adds to each 16-bit number from `to` on how many bits of a block differ: from `item` to `end` in steps, and at `question`. */
type Compare = (item: number, step: number, end: number, question: number, to: number) => void

export type Engine = (bytes: number) => { readonly buffer: ArrayBuffer; readonly compare: Compare }

/** As many are compared sooner than a module is made. */
const FEW = 200

/** A process that may not make code, started with `--jitless`, has no WebAssembly. */
function pickEngine(capacity: number): Engine {
  return capacity <= FEW || typeof WebAssembly === 'undefined' ? plainEngine : wasmEngine
}

export const plainEngine: Engine = bytes => {
  const buffer = new ArrayBuffer(4 * Math.ceil(bytes / 4))
  const words = new Uint32Array(buffer)
  const counts = new Uint16Array(buffer)
  const compare: Compare = (item, step, end, question, to) => {
    for (let at = item, count = to >> 1; at < end; at += step, count++)
      for (let word = 0; word < BLOCK >> 2; word++)
        counts[count]! += popCount(words[(at >> 2) + word]! ^ words[(question >> 2) + word]!)
  }
  return { buffer, compare }
}

export const wasmEngine: Engine = bytes => {
  const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE) })
  const { exports } = new WebAssembly.Instance(compareModule(), { host: { memory } })
  return { buffer: memory.buffer, compare: exports.compare }
}

// Parameters and variables of the function, by number.
const [ITEM, STEP, END, QUESTION, TO] = [0, 1, 2, 3, 4]
const VARIABLES = [5, 6, 7, 8]

const get = (variable: number) => [0x20, variable]
const set = (variable: number) => [0x21, variable]
const load64 = (offset: number) => [0x29, 3, offset]
const [I32_ADD, I32_BELOW, WRAP, I64_ADD, XOR, POPCNT] = [0x6a, 0x49, 0xa7, 0x7c, 0x85, 0x7b] as const
const [LOAD_16, STORE_16] = [
  [0x2f, 1, 0],
  [0x3b, 1, 0],
]
const constant = (value: number) => [0x41, value]

/** The bits of a word of the item that differ from the question's. */
const differing = (word: number) => [
  ...get(VARIABLES[word]!),
  ...[...get(ITEM!), ...load64(8 * word)],
  ...[XOR, POPCNT],
]

const BODY = [
  // Four variables of 64 bits hold the question.
  ...[1, VARIABLES.length, 0x7e],
  ...VARIABLES.flatMap((variable, word) => [...get(QUESTION!), ...load64(8 * word), ...set(variable)]),
  ...[0x03, 0x40],
  // to = to + the differing bits
  ...[...get(TO!), ...get(TO!), ...LOAD_16!],
  ...[...differing(0), ...differing(1), I64_ADD, ...differing(2), I64_ADD, ...differing(3), I64_ADD],
  ...[WRAP, I32_ADD, ...STORE_16!],
  // to += 2, item += step, again while item < end
  ...[...get(TO!), ...constant(2), I32_ADD, ...set(TO!)],
  ...[...get(ITEM!), ...get(STEP!), I32_ADD, ...set(ITEM!)],
  ...[...get(ITEM!), ...get(END!), I32_BELOW, 0x0d, 0],
  ...[0x0b, 0x0b],
]

const text = (value: string) => [value.length, ...Buffer.from(value)]
const section = (id: number, content: readonly number[]) => [id, content.length, ...content]

const compareModule = lazy(
  () =>
    new WebAssembly.Module(
      Uint8Array.from([
        ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
        // One type: five 32-bit numbers in, nothing out.
        ...section(1, [1, 0x60, 5, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0]),
        ...section(2, [1, ...text('host'), ...text('memory'), 2, 0, 0]),
        ...section(3, [1, 0]),
        ...section(7, [1, ...text('compare'), 0, 0]),
        ...section(10, [1, BODY.length, ...BODY]),
      ]),
    ),
)
