// Classic BPF, as `seccomp` takes it: instructions of eight bytes that load words of `struct seccomp_data`,
// compare, and return.
// Both processors that have filters are little-endian.

/**
 * The offsets of the 32-bit words in `struct seccomp_data`. The arguments are 64 bits wide; their lower half
 * comes first.
 */
export const NUMBER = 0
export const ARCHITECTURE = 4
export const argument = (index: number): number => 16 + 8 * index
export const upperHalf = (offset: number): number => offset + 4

export interface Instruction {
  readonly code: number
  /** How many instructions to skip if the condition holds, and if it does not. */
  readonly jumpTrue: number
  readonly jumpFalse: number
  readonly value: number
}

const LOAD = 0x20
const AND = 0x54
const JUMP_EQUAL = 0x15
const JUMP_GREATER = 0x25
const JUMP_ANY_BIT = 0x45
const RETURN = 0x06

/** The kernel stores a jump distance in one byte, and accepts at most this many instructions. */
const MOST_SKIPPED = 255
const MOST_INSTRUCTIONS = 4_096

export const load = (offset: number): Instruction => plain(LOAD, offset)
export const and = (mask: number): Instruction => plain(AND, mask)
export const answer = (value: number): Instruction => plain(RETURN, value)

type Test = (value: number, then: readonly Instruction[]) => Instruction[]

/** Runs `then` only if the loaded word is equal to the value. The two below work likewise. */
export const ifEqual: Test = (value, then) => guard(JUMP_EQUAL, value, then)
export const ifGreater: Test = (value, then) => guard(JUMP_GREATER, value, then)
export const ifAnyBit: Test = (value, then) => guard(JUMP_ANY_BIT, value, then)

export function encodeProgram(program: readonly Instruction[]): Uint8Array {
  if (program.length > MOST_INSTRUCTIONS) throw new Error('unreachable: the filter is too long')
  const bytes = Buffer.alloc(8 * program.length)
  for (const [index, { code, jumpTrue, jumpFalse, value }] of program.entries()) {
    bytes.writeUInt16LE(code, 8 * index)
    bytes.writeUInt8(jumpTrue, 8 * index + 2)
    bytes.writeUInt8(jumpFalse, 8 * index + 3)
    bytes.writeUInt32LE(value >>> 0, 8 * index + 4)
  }
  return bytes
}

function plain(code: number, value: number): Instruction {
  return { code, jumpTrue: 0, jumpFalse: 0, value }
}

function guard(code: number, value: number, then: readonly Instruction[]): Instruction[] {
  if (then.length > MOST_SKIPPED) throw new Error('unreachable: the jump is too long')
  return [{ code, jumpTrue: 0, jumpFalse: then.length, value }, ...then]
}
