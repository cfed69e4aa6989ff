// The plain files of a tar archive. Folders and long names are supported, nothing else: a link, a device, a
// sparse file, a wrong size or a name that leads elsewhere makes the whole archive invalid.
import { AppError, flattenText } from '../../base/index.ts'

const BLOCK = 512
const MOST_EXTENDED = 65_536
const MOST_NAME = 4_096

export interface TarFile {
  readonly path: string
  readonly bytes: Buffer
}

/** Throws `ITEM_MALFORMED`. */
export function* readTar(archive: Buffer): Generator<TarFile> {
  let longName: string | undefined
  for (let at = 0; at + BLOCK <= archive.length; ) {
    const header = archive.subarray(at, at + BLOCK)
    if (header.every(byte => byte === 0)) return
    const size = readNumber(header.subarray(124, 136))
    const bytes = archive.subarray(at + BLOCK, at + BLOCK + size)
    if (readNumber(header.subarray(148, 156)) !== checksum(header) || bytes.length < size)
      throw malformed(`is damaged at byte ${at}`)
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK
    const kind = String.fromCharCode(header[156]!)
    if (kind === 'g') continue
    if (kind === 'x' || kind === 'L') {
      if (size > MOST_EXTENDED) throw malformed('has an extended header that is too long')
      longName = kind === 'L' ? readText(bytes) : pathIn(bytes, longName)
      continue
    }
    // `tar czf ../x.tgz .` puts this prefix before every name, and adds an entry for the folder itself.
    const path = (longName ?? nameIn(header)).replace(/^\.\//, '')
    longName = undefined
    if (kind === '5' && path === '') continue
    checkEntry(path, kind)
    if (kind !== '5') yield { path, bytes }
  }
}

/** The sum of all bytes of a header, counting the checksum field as blanks. */
function checksum(header: Buffer): number {
  let sum = 8 * 32
  for (const [at, byte] of header.entries()) if (at < 148 || at >= 156) sum += byte
  return sum
}

function nameIn(header: Buffer): string {
  const name = readText(header.subarray(0, 100))
  const isPosix = header.toString('latin1', 257, 263) === 'ustar\0'
  const prefix = isPosix ? readText(header.subarray(345, 500)) : ''
  return prefix === '' ? name : `${prefix}/${name}`
}

function checkEntry(path: string, kind: string): void {
  const shown = shownPath(path)
  if (kind !== '0' && kind !== '\0' && kind !== '5')
    throw malformed(`holds ${shown}, which is a link or a device: expected plain files`)
  const parts = (kind === '5' && path.endsWith('/') ? path.slice(0, -1) : path).split('/')
  if (path.length > MOST_NAME || path.includes('\\') || parts.some(part => ['', '.', '..'].includes(part)))
    throw malformed(`holds ${shown}, which leads out of it`)
}

/** Reads an octal number. Other forms are for sizes that would be refused anyway. */
function readNumber(field: Buffer): number {
  const text = field.toString('latin1').replace(/^[ \0]+|[ \0]+$/g, '')
  if (!/^[0-7]{0,12}$/.test(text)) throw malformed('has a header that cannot be read')
  return text === '' ? 0 : Number.parseInt(text, 8)
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function readText(field: Buffer): string {
  const end = field.indexOf(0)
  try {
    return UTF8.decode(end === -1 ? field : field.subarray(0, end))
  } catch {
    throw malformed('holds a name that is not UTF-8')
  }
}

/** `path` in an extended header, which has records `LENGTH KEY=VALUE LF`. */
function pathIn(header: Buffer, before: string | undefined): string | undefined {
  let found = before
  for (let rest = header; rest.length > 0; ) {
    const digits = /^(\d{1,6}) /.exec(rest.toString('latin1', 0, 8))?.[1]
    const length = digits === undefined ? 0 : Number(digits)
    const record = rest.subarray(0, length)
    const equals = record.indexOf('=')
    if (digits === undefined || record.length < length || equals < digits.length || record.at(-1) !== 10)
      throw malformed('has an extended header that cannot be read')
    const key = record.toString('latin1', digits.length + 1, equals)
    if (key === 'size' || key === 'linkpath' || key.startsWith('GNU.sparse'))
      throw malformed('holds a link, or a file with holes: expected plain files')
    if (key === 'path') found = readText(record.subarray(equals + 1, -1))
    rest = rest.subarray(length)
  }
  return found
}

export function shownPath(path: string): string {
  return `\`${flattenText(path).slice(0, 300)}\``
}

function malformed(problem: string): AppError {
  return new AppError('ITEM_MALFORMED', `the archive ${problem}`)
}
