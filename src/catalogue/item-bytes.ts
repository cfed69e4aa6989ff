// Packs the files of one item into one byte sequence, whose digest identifies all of them. The encoding is
// unique: files sorted by name, each with its length, then their contents.
import { AppError, quoteText } from '../base/index.ts'

const FIRST_LINE = 'rye item v1'
const MAX_FILES = 10_000
const MAX_HEADER = 2_000_000
/** The most that an item folder of a space may hold, plus the header. */
export const MAX_ITEM_BYTES = 16 * 1024 * 1024 + MAX_HEADER

/** Paths are relative and use slashes. */
export function packFiles(files: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const names = [...files.keys()].sort(compareText)
  const header = [FIRST_LINE, ...names.map(name => `${files.get(name)!.length} ${name}`), '', ''].join('\n')
  return Buffer.concat([Buffer.from(header), ...names.map(name => files.get(name)!)])
}

/** Throws `ITEM_MALFORMED` for anything that `packFiles` would not write. */
export function unpackFiles(bytes: Uint8Array): Map<string, Uint8Array> {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const end = all.subarray(0, MAX_HEADER).indexOf('\n\n')
  const [first, ...lines] = decode(all.subarray(0, Math.max(0, end))).split('\n')
  if (end === -1 || first !== FIRST_LINE) throw malformed(`expected \`${FIRST_LINE}\` and a list of files`)
  if (lines.length === 0 || lines.length > MAX_FILES)
    throw malformed(`expected 1 to ${MAX_FILES} files, got ${lines.length}`)
  const files = new Map<string, Uint8Array>()
  let at = end + 2
  let before = ''
  for (const line of lines) {
    const [, length = '', name = ''] = /^(0|[1-9][0-9]{0,8}) (.+)$/su.exec(line) ?? []
    if (!isPlainPath(name)) throw malformed(`expected a length and a path, got ${quoteText(line, 120)}`)
    if (compareText(before, name) >= 0)
      throw malformed(`expected paths in order, got ${quoteText(name, 120)}`)
    files.set(name, all.subarray(at, at + Number(length)))
    at += Number(length)
    before = name
  }
  const blocked = [...files.keys()].find(name => foldersOf(name).some(folder => files.has(folder)))
  if (blocked !== undefined) throw malformed(`expected a folder above ${quoteText(blocked, 120)}, got a file`)
  if (at !== all.length) throw malformed(`expected ${at} bytes, got ${all.length}`)
  return files
}

function foldersOf(path: string): string[] {
  const parts = path.split('/')
  return parts.slice(1).map((_, above) => parts.slice(0, above + 1).join('/'))
}

/** Throws `ITEM_MALFORMED` for bytes that are not UTF-8. */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw malformed('expected a list of files in UTF-8')
  }
}

/** No file system allows longer names. */
const MAX_NAME = 255

/** Whether a path stays inside the folder that it is relative to. */
export function isPlainPath(path: string): boolean {
  return (
    path !== '' &&
    Buffer.byteLength(path) <= 1024 &&
    !/[\p{Cc}\p{Surrogate}\\]/u.test(path) &&
    path
      .split('/')
      .every(part => part !== '' && part !== '.' && part !== '..' && Buffer.byteLength(part) <= MAX_NAME)
  )
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function malformed(what: string): AppError {
  return new AppError('ITEM_MALFORMED', `the files of an item are damaged: ${what}`)
}
