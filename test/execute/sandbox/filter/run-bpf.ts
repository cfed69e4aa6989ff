// Stands in for the kernel: runs classic BPF over the data of one system call.

export interface SystemCall {
  readonly architecture: number
  readonly number: number
  readonly arguments: readonly bigint[]
}

/** The value that the filter returns; throws where the kernel would refuse to load it. */
export function runBpf(program: Uint8Array, call: SystemCall): number {
  const code = Buffer.from(program)
  if (code.length === 0 || code.length % 8 !== 0) throw new Error('not a list of instructions')
  const data = Buffer.alloc(64)
  data.writeUInt32LE(call.number >>> 0, 0)
  data.writeUInt32LE(call.architecture >>> 0, 4)
  for (const [index, value] of call.arguments.entries())
    data.writeBigUInt64LE(BigInt.asUintN(64, value), 16 + 8 * index)
  let accumulator = 0
  for (let at = 0; at * 8 < code.length; at++) {
    const operation = code.readUInt16LE(8 * at)
    const [whenTrue, whenFalse] = [code.readUInt8(8 * at + 2), code.readUInt8(8 * at + 3)]
    const value = code.readUInt32LE(8 * at + 4)
    const jump = (holds: boolean) => {
      at += holds ? whenTrue : whenFalse
    }
    switch (operation) {
      case 0x20:
        if (value % 4 !== 0 || value > 60) throw new Error(`load from ${value}`)
        accumulator = data.readUInt32LE(value)
        break
      case 0x54:
        accumulator = (accumulator & value) >>> 0
        break
      case 0x15:
        jump(accumulator === value)
        break
      case 0x25:
        jump(accumulator > value)
        break
      case 0x45:
        jump((accumulator & value) !== 0)
        break
      case 0x06:
        return value
      default:
        throw new Error(`unknown instruction ${operation.toString(16)}`)
    }
  }
  throw new Error('the filter ends without an answer')
}
