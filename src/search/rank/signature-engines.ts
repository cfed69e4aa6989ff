// Compares signatures and adds to scores: in a few WebAssembly instructions, ten times as fast as JavaScript
// can count bits, or in JavaScript with the same results.
import { lazy } from '../../base/index.ts'
import { popCount } from '../match/bits.ts'

/** The part that is used here. The types of Node leave WebAssembly to those of browsers. */
declare const WebAssembly: {
  readonly Memory: new (size: { readonly initial: number }) => { readonly buffer: ArrayBuffer }
  readonly Module: new (code: Uint8Array) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: Omit<OpenEngine, 'buffer'> }
}

/** Signatures are compared in blocks of this many bytes, and padded to it. */
export const BLOCK = 32
const PAGE = 65_536
/** Eight documents are compared at once: their counts are added up in three levels. */
const LEVELS = 3
export const TOGETHER = 2 ** LEVELS
/** How many 32-bit numbers scores are computed with. One 16-bit number follows them. */
export const FACTORS = 5

/**
 * What meaning adds to a score. If `n` is how many fewer than half of the bits differ, it is `n * (rise + n *
 * n * bend) - less`, or 0 when that is below 0.
 */
export interface Estimate {
  readonly half: number
  readonly rise: number
  readonly bend: number
  readonly less: number
}

/** In 32-bit arithmetic, like the instructions below, so that all engines give the same result. */
export function estimateOf(distance: number, { half, rise, bend, less }: Estimate): number {
  const near = Math.max(0, half - distance)
  const slope = fround(fround(rise) + fround(fround(near * near) * fround(bend)))
  return Math.max(0, fround(fround(near * slope) - fround(less)))
}

const { fround } = Math

/**
 * Compares the block at `question` with one of each item, from `item` to `end` in steps of `step` bytes. Adds
 * how many bits differ to the 16-bit numbers from `to` on.
 */
type Compare = (item: number, step: number, end: number, question: number, to: number) => void

/**
 * Computes the scores from `score` to `end`. For every eight of which one reaches the least score, writes the
 * index of the first to `chosen`. Returns where these indexes end.
 */
type Add = (
  score: number,
  end: number,
  share: number,
  distance: number,
  factors: number,
  chosen: number,
) => number

export interface OpenEngine {
  readonly buffer: ArrayBuffer
  readonly compare: Compare
  readonly add: Add
}

export type Engine = (bytes: number) => OpenEngine

/** This many are compared sooner than a WebAssembly module is made. */
const FEW = 200

/** A process that may not generate code, because it was started with `--jitless`, has no WebAssembly. */
export function pickEngine(capacity: number): Engine {
  return capacity <= FEW || typeof WebAssembly === 'undefined' ? plainEngine : wasmEngine
}

export const plainEngine: Engine = bytes => {
  const buffer = new ArrayBuffer(8 * Math.ceil(bytes / 8))
  const words32 = new Uint32Array(buffer)
  const counts = new Uint16Array(buffer)
  const numbers = new Float32Array(buffer)
  const compare: Compare = (item, step, end, question, to) => {
    for (let at = item, count = to >> 1; at < end; at += step, count++)
      for (let word = 0; word < BLOCK >> 2; word++)
        counts[count]! += popCount(words32[(at >> 2) + word]! ^ words32[(question >> 2) + word]!)
  }
  const add: Add = (score, end, share, distance, factors, chosen) => {
    const [words, least, rise, bend, less] = numbers.subarray(factors >> 2)
    const half = counts[(factors >> 1) + 2 * FACTORS]!
    const estimate = { half, rise: rise!, bend: bend!, less: less! }
    let next = chosen >> 2
    for (let group = 0; score + 4 * group < end; group += TOGETHER) {
      let isChosen = false
      for (let doc = group; doc < group + TOGETHER && score + 4 * doc < end; doc++) {
        const at = (score >> 2) + doc
        const kept = fround(fround(numbers[at]! * numbers[(share >> 2) + doc]!) * words!)
        numbers[at] = kept + estimateOf(counts[(distance >> 1) + doc]!, estimate)
        isChosen ||= numbers[at]! >= least!
      }
      if (isChosen) words32[next++] = group
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

// The following are instructions, with their codes from the WebAssembly specification.
const get = (variable: number) => [0x20, variable]
const set = (variable: number) => [0x21, variable]
const keep = (variable: number) => [0x22, variable]
const constant = (value: number) => [0x41, value]
const [LOOP, IF, END, AGAIN] = [[0x03, 0x40], [0x04, 0x40], [0x0b], [0x0d, 0]]
const [I32_ADD, I32_BELOW] = [0x6a, 0x49]
const I32_STORE = [0x36, 2, 0]
const increase = (variable: number, by: readonly number[]) => [
  ...get(variable),
  ...by,
  I32_ADD,
  ...set(variable),
]
// Sixteen bytes at once.
const load = (offset: number) => [0xfd, 0x00, 4, offset]
const store = (offset: number) => [0xfd, 0x0b, 4, offset]
/** Loads one 16-bit or 32-bit number, repeated as often as there is room. */
const load16 = (offset: number) => [0xfd, 0x08, 1, offset]
const load32 = (offset: number) => [0xfd, 0x09, 2, offset]
const [XOR, POPCNT] = [
  [0xfd, 0x51],
  [0xfd, 0x62],
]
const [ADD_BYTES, ADD_PAIRS, ADD_16, BELOW_16] = [
  [0xfd, 0x6e],
  [0xfd, 0x7d],
  [0xfd, 0x8e, 0x01],
  [0xfd, 0x93, 0x01],
]
/** Widen four of eight 16-bit numbers, and convert them to floats. */
const [FIRST_FOUR, LAST_FOUR, FLOATS] = [
  [0xfd, 0xa9, 0x01],
  [0xfd, 0xaa, 0x01],
  [0xfd, 0xfb, 0x01],
]
const [F32_ADD, F32_SUBTRACT, F32_MULTIPLY, F32_HIGHER] = [
  [0xfd, 0xe4, 0x01],
  [0xfd, 0xe5, 0x01],
  [0xfd, 0xe6, 0x01],
  [0xfd, 0xe9, 0x01],
]
const [F32_LEAST, OR, ANY] = [
  [0xfd, 0x46],
  [0xfd, 0x50],
  [0xfd, 0x53],
]
const ZERO = [0xfd, 0x0c, ...Array.from({ length: 16 }, () => 0)]
/** Every other byte of two values, from the first or the second on. */
const everyOther = (from: 0 | 1) => [0xfd, 0x0d, ...Array.from({ length: 16 }, (_, at) => 2 * at + from)]

function compareBody(): number[] {
  const [item, step, end, question, to, first, second, left] = [0, 1, 2, 3, 4, 5, 6, 7]
  const right = left + LEVELS
  /** Counts, byte by byte, the bits of half a block that differ from the question's. */
  const differing = (half: number, offset: number) => [
    ...[...get(half), ...get(item), ...load(offset)],
    ...[...XOR, ...POPCNT],
  ]
  /**
   * The counts of one item at level 0, and of twice as many at each level above. All items have an equal
   * share of the sixteen bytes.
   */
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
    // Local variables of 128 bits: the halves of the question's block, and what is added up at each level.
    ...[1, 2 + 2 * LEVELS, 0x7b],
    ...[...get(question), ...load(0), ...set(first)],
    ...[...get(question), ...load(BLOCK / 2), ...set(second)],
    ...LOOP,
    // Eight numbers of 16 bits: to = to + the counts of eight items
    ...[...get(to), ...get(to), ...load(0), ...counts(LEVELS), ...ADD_PAIRS, ...ADD_16, ...store(0)],
    ...increase(to, constant(16)),
    ...[...get(item), ...get(end), I32_BELOW, ...AGAIN],
    ...[...END, ...END],
  ]
}

function addBody(): number[] {
  const [score, end, share, distance, factors, chosen, group] = [0, 1, 2, 3, 4, 5, 6]
  const [words, least, rise, bend, less, half] = [7, 8, 9, 10, 11, 12]
  const [fewer, near, value, reached] = [13, 14, 15, 16]
  /** Computes four of eight scores, and leaves on the stack which of them reach the least score. */
  const four = (offset: number, numbers: readonly number[]) => [
    ...[...get(score), ...get(score), ...load(offset), ...get(share), ...load(offset), ...F32_MULTIPLY],
    ...[...get(words), ...F32_MULTIPLY],
    // near * (rise + near * near * bend) - less, or zero
    ...[...get(fewer), ...numbers, ...FLOATS, ...keep(near)],
    ...[...get(rise), ...get(near), ...get(near), ...F32_MULTIPLY, ...get(bend), ...F32_MULTIPLY, ...F32_ADD],
    ...[...F32_MULTIPLY, ...get(less), ...F32_SUBTRACT, ...ZERO, ...F32_HIGHER],
    ...[...F32_ADD, ...keep(value), ...store(offset)],
    ...[...get(value), ...get(least), ...F32_LEAST],
  ]
  return [
    // Local variables: one of 32 bits, and ten of 128 bits for the calculation.
    ...[2, 1, 0x7f, 10, 0x7b],
    ...[words, least, rise, bend, less].flatMap((variable, at) => [
      ...[...get(factors), ...load32(4 * at), ...set(variable)],
    ]),
    ...[...get(factors), ...load16(4 * FACTORS), ...set(half)],
    ...LOOP,
    ...[...get(half), ...get(distance), ...load(0), ...BELOW_16, ...set(fewer)],
    ...[...four(0, FIRST_FOUR), ...set(reached), ...four(16, LAST_FOUR), ...get(reached), ...OR],
    ...[...ANY, ...IF, ...get(chosen), ...get(group), ...I32_STORE, ...increase(chosen, constant(4)), ...END],
    ...[...increase(group, constant(8)), ...increase(distance, constant(16))],
    ...[...increase(score, constant(32)), ...increase(share, constant(32))],
    ...[...get(score), ...get(end), I32_BELOW, ...AGAIN],
    ...[...END, ...get(chosen), ...END],
  ]
}

const text = (value: string) => [value.length, ...Buffer.from(value)]
/** Lengths are encoded in fourteen bits. */
const sized = (content: readonly number[]) => [
  0x80 | (content.length & 0x7f),
  content.length >> 7,
  ...content,
]
const section = (id: number, content: readonly number[]) => [id, ...sized(content)]
const I32 = 0x7f

const wasmModule = lazy(
  () =>
    new WebAssembly.Module(
      Uint8Array.from([
        ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
        // The types of `compare` and `add`.
        ...section(1, [
          ...[2, 0x60, 5, I32, I32, I32, I32, I32, 0],
          ...[0x60, 6, I32, I32, I32, I32, I32, I32, 1, I32],
        ]),
        ...section(2, [1, ...text('host'), ...text('memory'), 2, 0, 0]),
        ...section(3, [2, 0, 1]),
        ...section(7, [2, ...text('compare'), 0, 0, ...text('add'), 0, 1]),
        ...section(10, [2, ...sized(compareBody()), ...sized(addBody())]),
      ]),
    ),
)
