// Reads the tensors of a `.safetensors` file: the length of a header (64 bits), the header as JSON, then the
// numbers. Nothing in it is trusted: a tensor must lie inside the file and have exactly the bytes that its
// shape takes.
import { isRecord } from '../../../base/index.ts'

export interface Tensor {
  readonly shape: readonly number[]
  /** How many numbers it has. */
  readonly count: number
  at(index: number): number
}

const MOST_HEADER = 16 * 1024 * 1024
/** Larger products would not be exact. */
const MOST_NUMBERS = 2 ** 40

interface NumberType {
  readonly bytes: number
  read(view: DataView, at: number): number
}

const TYPES: Readonly<Record<string, NumberType>> = {
  F64: { bytes: 8, read: (view, at) => view.getFloat64(at, true) },
  F32: { bytes: 4, read: (view, at) => view.getFloat32(at, true) },
  F16: { bytes: 2, read: (view, at) => readHalf(view.getUint16(at, true)) },
  I64: { bytes: 8, read: (view, at) => Number(view.getBigInt64(at, true)) },
  I32: { bytes: 4, read: (view, at) => view.getInt32(at, true) },
  I8: { bytes: 1, read: (view, at) => view.getInt8(at) },
}

/** The tensors by name. Throws a plain error for bytes that are not such a file. */
export function readTensors(bytes: Uint8Array): ReadonlyMap<string, Tensor> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const headerBytes = bytes.length < 8 ? 0 : Number(view.getBigUint64(0, true))
  if (headerBytes === 0 || headerBytes > Math.min(MOST_HEADER, bytes.length - 8))
    throw new Error(`expected a header within ${bytes.length} bytes, got one of ${headerBytes}`)
  const header = parseHeader(bytes.subarray(8, 8 + headerBytes))
  const tensors = new Map<string, Tensor>()
  for (const [name, entry] of Object.entries(header)) {
    if (name !== '__metadata__') tensors.set(name, readTensor(name, entry, view, 8 + headerBytes))
  }
  return tensors
}

function parseHeader(bytes: Uint8Array): Record<string, unknown> {
  let header: unknown
  try {
    header = JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch {
    // Reported below.
  }
  if (!isRecord(header)) throw new Error('expected a JSON header')
  return header
}

function readTensor(name: string, entry: unknown, view: DataView, first: number): Tensor {
  if (
    !isRecord(entry) ||
    !isSizes(entry.shape) ||
    !isSizes(entry.data_offsets) ||
    typeof entry.dtype !== 'string'
  )
    throw new Error(`expected type, shape and offsets of the tensor \`${name}\``)
  const type = Object.hasOwn(TYPES, entry.dtype) ? TYPES[entry.dtype] : undefined
  if (!type)
    throw new Error(`tensor \`${name}\`: expected type ${Object.keys(TYPES).join(', ')}, got ${entry.dtype}`)
  const { shape } = entry
  const count = shape.reduce((product, size) => Math.min(MOST_NUMBERS, product * size), 1)
  const [from = 0, to = 0] = entry.data_offsets
  if (to - from !== count * type.bytes || first + to > view.byteLength)
    throw new Error(
      `tensor \`${name}\`: expected a range of ${count * type.bytes} bytes within the file's ${view.byteLength - first}, got ${from} to ${to}`,
    )
  return { shape, count, at: index => type.read(view, first + from + index * type.bytes) }
}

function isSizes(value: unknown): value is number[] {
  return (
    Array.isArray(value) && value.length <= 8 && value.every(size => Number.isSafeInteger(size) && size >= 0)
  )
}

/** A number of 16 bits: a sign, five bits of exponent, ten of fraction. */
function readHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >> 10) & 31
  const fraction = bits & 1023
  if (exponent === 0) return sign * fraction * 2 ** -24
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15)
}
