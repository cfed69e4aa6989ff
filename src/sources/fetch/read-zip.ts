// The plain files of a zip archive, by the directory at its end. Only stored and deflated files are
// supported: one that is encrypted, split, a link, or larger than it says makes the whole archive invalid.
import { promisify } from 'node:util'
import { crc32, inflateRaw } from 'node:zlib'
import { AppError, flattenText } from '../../base/index.ts'
import { MOST_SOURCE_FILES } from '../find/source-tree.ts'

export interface ZipFile {
  readonly path: string
  readonly bytes: Buffer
}

const ENTRY_SIGNATURE = 0x02014b50
const LOCAL_SIGNATURE = 0x04034b50
const END_BYTES = 22
const ENTRY_BYTES = 46
const LOCAL_BYTES = 30
const MOST_UNPACKED = 200_000_000
const UNIX = 3
const KIND = 0o170000
const PLAIN = 0o100000
const FOLDER = 0o040000
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Throws `ITEM_MALFORMED`. */
export async function readZip(archive: Buffer): Promise<ZipFile[]> {
  const files: ZipFile[] = []
  let left = MOST_UNPACKED
  for (const entry of entriesOf(archive)) {
    left -= entry.size
    if (left < 0) throw malformed(`unpacks to more than ${MOST_UNPACKED} bytes`)
    if (!entry.isFolder) files.push({ path: entry.path, bytes: await unpack(archive, entry) })
  }
  return files
}

interface Entry {
  readonly path: string
  readonly isFolder: boolean
  readonly method: number
  readonly sum: number
  readonly packed: number
  readonly size: number
  readonly offset: number
}

function entriesOf(archive: Buffer): Entry[] {
  const end = findEnd(archive)
  const count = archive.readUInt16LE(end + 10)
  if (count > MOST_SOURCE_FILES || archive.readUInt16LE(end + 8) !== count)
    throw malformed('is split, or too large')
  const entries: Entry[] = []
  let at = archive.readUInt32LE(end + 16)
  for (let index = 0; index < count; index++) {
    if (at + ENTRY_BYTES > end || archive.readUInt32LE(at) !== ENTRY_SIGNATURE)
      throw malformed('has a damaged directory')
    const name = archive.readUInt16LE(at + 28)
    const length = ENTRY_BYTES + name + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)
    if (at + length > end) throw malformed('has a damaged directory')
    entries.push(readEntry(archive.subarray(at, at + length), name))
    at += length
  }
  if (at !== end) throw malformed('has something between its directory and its end')
  return entries
}

/** Forges add a comment after the end record; it must reach to the end of the archive. */
function findEnd(archive: Buffer): number {
  const end = archive.lastIndexOf('PK\u0005\u0006', undefined, 'latin1')
  if (
    end === -1 ||
    end + END_BYTES > archive.length ||
    end + END_BYTES + archive.readUInt16LE(end + 20) !== archive.length
  )
    throw malformed('is no zip archive, or goes on after its end')
  return end
}

function readEntry(entry: Buffer, nameLength: number): Entry {
  const path = decode(entry.subarray(ENTRY_BYTES, ENTRY_BYTES + nameLength))
  const flags = entry.readUInt16LE(8)
  const method = entry.readUInt16LE(10)
  const [packed, size, offset] = [entry.readUInt32LE(20), entry.readUInt32LE(24), entry.readUInt32LE(42)]
  const isFolder = path.endsWith('/')
  if ((flags & 0x41) !== 0 || (method !== 0 && method !== 8) || [packed, size, offset].includes(0xffffffff))
    throw malformed(`holds ${shown(path)}, which is encrypted or packed in a way that is not read here`)
  if (entry[5] === UNIX) {
    const kind = entry.readUInt16LE(40) & KIND
    if (kind !== 0 && kind !== (isFolder ? FOLDER : PLAIN))
      throw malformed(`holds ${shown(path)}, which is a link or a device: expected plain files`)
  }
  const parts = (isFolder ? path.slice(0, -1) : path).split('/')
  if (path.includes('\\') || path.includes('\0') || parts.some(part => ['', '.', '..'].includes(part)))
    throw malformed(`holds ${shown(path)}, which leads out of it`)
  return { path, isFolder, method, sum: entry.readUInt32LE(16), packed, size, offset }
}

async function unpack(archive: Buffer, { path, method, sum, packed, size, offset }: Entry): Promise<Buffer> {
  if (offset + LOCAL_BYTES > archive.length || archive.readUInt32LE(offset) !== LOCAL_SIGNATURE)
    throw malformed(`is damaged at ${shown(path)}`)
  const start = offset + LOCAL_BYTES + archive.readUInt16LE(offset + 26) + archive.readUInt16LE(offset + 28)
  const bytes = archive.subarray(start, start + packed)
  if (bytes.length < packed) throw malformed('is cut off')
  const content = method === 0 ? bytes : await inflate(bytes, size, path)
  if (content.length !== size || crc32(content) !== sum) throw malformed(`is damaged at ${shown(path)}`)
  return content
}

async function inflate(bytes: Buffer, size: number, path: string): Promise<Buffer> {
  try {
    return await promisify(inflateRaw)(bytes, { maxOutputLength: Math.max(size, 1) })
  } catch {
    throw malformed(`holds ${shown(path)}, which is damaged or larger than it says`)
  }
}

function decode(name: Buffer): string {
  try {
    return UTF8.decode(name)
  } catch {
    throw malformed('holds a name that is not UTF-8')
  }
}

function shown(path: string): string {
  return `\`${flattenText(path).slice(0, 300)}\``
}

function malformed(problem: string): AppError {
  return new AppError('ITEM_MALFORMED', `the archive ${problem}`)
}
