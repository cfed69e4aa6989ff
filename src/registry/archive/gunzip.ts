// Reads exactly one gzip stream, bounded in size and expansion. Node's own reader would read on into a second
// stream and ignore anything else there: two readers of one archive could see different files.
import { promisify } from 'node:util'
import { crc32, type InflateRaw, inflateRaw } from 'node:zlib'
import { AppError, systemErrorCode } from '../../base/index.ts'
import { UNPACKED_BYTES } from './limits.ts'

/** Text shrinks to a twentieth. Anything that shrinks more than this was made to exhaust memory. */
const MOST_RATIO = 200
const RATIO_FREE = 1_000_000
const TRAILER = 8

const HAS_HEADER_SUM = 2
const HAS_EXTRA = 4
const HAS_NAME = 8
const HAS_COMMENT = 16

/** Throws `ITEM_MALFORMED`. */
export async function gunzip(archive: Buffer): Promise<Buffer> {
  const most = Math.min(UNPACKED_BYTES, Math.max(RATIO_FREE, MOST_RATIO * archive.length))
  const start = headerLength(archive)
  const { buffer, engine } = await inflate(archive.subarray(start), most)
  const end = start + engine.bytesWritten
  if (archive.length < end + TRAILER) throw malformed('is cut off')
  if (archive.length > end + TRAILER) throw malformed('goes on after its end')
  const isWhole =
    archive.readUInt32LE(end) === crc32(buffer) && archive.readUInt32LE(end + 4) === buffer.length >>> 0
  if (!isWhole) throw malformed('is damaged: its checksum is wrong')
  return buffer
}

interface Inflated {
  readonly buffer: Buffer
  /** Tells how many bytes were read. */
  readonly engine: InflateRaw
}

async function inflate(packed: Buffer, most: number): Promise<Inflated> {
  try {
    // With `info`, Node returns this object; its types do not say so.
    const options = { info: true, maxOutputLength: most }
    return (await promisify(inflateRaw)(packed, options)) as unknown as Inflated
  } catch (thrown) {
    const code = systemErrorCode(thrown)
    if (code === 'ERR_BUFFER_TOO_LARGE') throw malformed(`unpacks to more than ${most} bytes`)
    if (code === 'Z_BUF_ERROR') throw malformed('is cut off')
    if (code?.startsWith('Z_')) throw malformed(`is not gzip: ${code}`)
    throw thrown
  }
}

/** Length of the header: RFC 1952, 2.3. */
function headerLength(archive: Buffer): number {
  if (archive.length < 10 || archive.readUInt16BE(0) !== 0x1f8b || archive[2] !== 8)
    throw malformed('is not gzip: it has no header of such a file')
  const flags = archive[3]!
  let at = 10
  if (flags & HAS_EXTRA) at += 2 + (archive.length >= at + 2 ? archive.readUInt16LE(at) : 0)
  for (const flag of [HAS_NAME, HAS_COMMENT]) {
    if (!(flags & flag)) continue
    const end = archive.indexOf(0, at)
    if (end === -1) throw malformed('is cut off')
    at = end + 1
  }
  return flags & HAS_HEADER_SUM ? at + 2 : at
}

function malformed(problem: string): AppError {
  return new AppError('ITEM_MALFORMED', `the archive ${problem}`)
}
