// Makes a `.tgz` of plain files: the same bytes for the same files, on any system, at any time.
import { promisify } from 'node:util'
import { crc32, deflateRaw } from 'node:zlib'

const BLOCK = 512
/** The timestamp that npm gives to every file. */
const ARCHIVE_TIME = 499_162_500
/** No flags, no time, best compression, no operating system. */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255])

export async function writeArchive(files: ReadonlyMap<string, Uint8Array>): Promise<Buffer> {
  const blocks = [...files].flatMap(([path, bytes]) => entry(path, bytes))
  const plain = Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)])
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(crc32(plain), 0)
  trailer.writeUInt32LE(plain.length >>> 0, 4)
  const packed = await promisify<Buffer, object, Buffer>(deflateRaw)(plain, { level: 9 })
  return Buffer.concat([GZIP_HEADER, packed, trailer])
}

/** A name that does not fit into a header goes into an extended header before it. */
function entry(path: string, bytes: Uint8Array): Uint8Array[] {
  const name = Buffer.from(path)
  const isShort = name.length <= 100 && /^[ -~]*$/.test(path)
  const plain = [
    header(isShort ? name : name.subarray(0, 0), bytes.length, '0'),
    bytes,
    padding(bytes.length),
  ]
  if (isShort) return plain
  const record = paxRecord('path', path)
  return [header(Buffer.from('PaxHeader'), record.length, 'x'), record, padding(record.length), ...plain]
}

/** `LENGTH KEY=VALUE LF`, where the length counts its own digits. */
function paxRecord(key: string, value: string): Buffer {
  const rest = Buffer.byteLength(` ${key}=${value}\n`)
  let length = rest
  while (length !== rest + String(length).length) length = rest + String(length).length
  return Buffer.from(`${length} ${key}=${value}\n`)
}

function header(name: Uint8Array, size: number, kind: string): Buffer {
  const block = Buffer.alloc(BLOCK)
  block.set(name, 0)
  const put = (text: string, at: number) => block.write(text, at, 'latin1')
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`
  put(octal(0o644, 7), 100)
  put(octal(0, 7), 108)
  put(octal(0, 7), 116)
  put(octal(size, 11), 124)
  put(octal(ARCHIVE_TIME, 11), 136)
  put(' '.repeat(8), 148)
  put(kind, 156)
  put('ustar\u000000', 257)
  const sum = block.reduce((total, byte) => total + byte, 0)
  put(`${octal(sum, 6)} `, 148)
  return block
}

function padding(size: number): Buffer {
  return Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK)
}
