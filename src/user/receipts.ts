// The log of a project's runs: one JSON line each, in `receipts.jsonl` of its state folder, every line
// holding the hash of the line before it. Appending reads the last line and writes the next under a lock, in
// one write at the end of the file. A line that a crash left incomplete is ended and stays visible as damage;
// the chain continues from the last good line. A log that has grown large, or that ends in something other
// than receipts, is put aside and the chain continues in a new one: reads are bounded whatever the file
// holds.
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { AppError, printCanonicalJson, systemErrorCode } from '../base/index.ts'
import { acquireMutex, readFile } from '../files/index.ts'
import { hashReceipt, parseReceipt, type Receipt, type ReceiptFacts } from './receipt.ts'

export interface ReceiptFault {
  /** One-based line number in its file. */
  readonly line: number
  /** The file name, if it is an older one. */
  readonly file?: string
  readonly fault: 'unreadable' | 'altered' | 'unlinked'
}

export interface ReceiptLog {
  readonly receipts: readonly Receipt[]
  readonly faults: readonly ReceiptFault[]
}

export interface ReceiptFilter {
  readonly itemId?: string
  readonly outcome?: string
  /** ISO 8601 in UTC, as in receipts. Earlier receipts are left out. */
  readonly since?: string
}

const FIRST = '0'.repeat(64)
const LOG = 'receipts.jsonl'
const TAIL_BYTES = 65_536
/** If no receipt is found this close to the end, the search stops. */
const MOST_TAIL_BYTES = 4 * 1024 * 1024
/** About a hundred thousand runs; the next run starts a new file. */
const MOST_BYTES = 64 * 1024 * 1024
const APPEND =
  constants.O_APPEND |
  constants.O_CREAT |
  constants.O_RDWR |
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NONBLOCK ?? 0)
const MUTEX = { waitMs: 5_000, holdMs: 10_000 }

/** The path of the log in a project's state folder. */
export function receiptsPath(stateFolder: string): string {
  return join(stateFolder, LOG)
}

/** Appends one receipt and returns it. Throws `WRITE_FAILED` when the log cannot be written. */
export async function appendReceipt(stateFolder: string, facts: ReceiptFacts): Promise<Receipt> {
  const path = receiptsPath(stateFolder)
  try {
    const mutex = await acquireMutex(`${path}.lock`, MUTEX)
    try {
      return appendLine(stateFolder, facts)
    } finally {
      mutex.release()
    }
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code !== 'EXECUTION_TIMEOUT') throw thrown
    const reason = systemErrorCode(thrown) ?? 'another process holds its lock'
    throw new AppError('WRITE_FAILED', `cannot append to \`${path}\`: ${reason}`, { cause: thrown })
  }
}

/**
 * Reads and checks the log and the file that was last put aside. Damage is reported, never thrown; a missing
 * log is empty. Throws `FILE_UNREADABLE` for a folder that we may not read.
 */
export function readReceipts(stateFolder: string | undefined): ReceiptLog {
  const receipts: Receipt[] = []
  const faults: ReceiptFault[] = []
  if (stateFolder === undefined) return { receipts, faults }
  const newest = newestReadable(stateFolder)
  let previous = newest > 1 ? endOf(join(stateFolder, asideName(newest - 1))) : FIRST
  for (const file of newest > 0 ? [asideName(newest), LOG] : [LOG]) {
    for (const [index, text] of readLines(join(stateFolder, file)).entries()) {
      const receipt = text === undefined ? undefined : parseReceipt(text)
      const fault = faultOf(receipt, previous)
      if (fault) faults.push({ line: index + 1, fault, ...(file !== LOG && { file }) })
      if (receipt === undefined) continue
      receipts.push(receipt)
      previous = receipt.hash
    }
  }
  return { receipts, faults }
}

/** Newest first. */
export function filterReceipts(receipts: readonly Receipt[], filter: ReceiptFilter): Receipt[] {
  return receipts
    .filter(receipt => filter.itemId === undefined || receipt.item_id === filter.itemId)
    .filter(receipt => filter.outcome === undefined || receipt.outcome === filter.outcome)
    .filter(receipt => filter.since === undefined || receipt.time >= filter.since)
    .reverse()
}

/** The receipt whose hash begins with `id`; undefined when there is none or more than one. */
export function findReceipt(receipts: readonly Receipt[], id: string): Receipt | undefined {
  if (!/^[0-9a-f]{8,64}$/.test(id)) return undefined
  const found = receipts.filter(receipt => receipt.hash.startsWith(id))
  return found.length === 1 ? found[0] : undefined
}

function appendLine(stateFolder: string, facts: ReceiptFacts): Receipt {
  const path = receiptsPath(stateFolder)
  const descriptor = openSync(path, APPEND, 0o600)
  let isOpen = true
  try {
    const stat = fstatSync(descriptor)
    if (!stat.isFile()) {
      throw new AppError('WRITE_FAILED', `cannot append to \`${path}\`: it is not a plain file`)
    }
    const end = readEnd(descriptor, stat.size)
    const isUsable = stat.size <= MOST_BYTES && (end.previous !== undefined || stat.size <= MOST_TAIL_BYTES)
    if (!isUsable) {
      closeSync(descriptor)
      isOpen = false
      renameSync(path, join(stateFolder, asideName(newestAside(stateFolder) + 1)))
      return appendLine(stateFolder, facts)
    }
    const unsealed = { ...facts, version: 1 as const, previous: end.previous ?? previousEnd(stateFolder) }
    const receipt: Receipt = { ...unsealed, hash: hashReceipt(unsealed) }
    const line = Buffer.from(`${end.isTorn ? '\n' : ''}${printCanonicalJson(receipt)}\n`)
    if (writeSync(descriptor, line) !== line.length) {
      throw new AppError('WRITE_FAILED', `cannot append to \`${path}\`: the line was cut short`, {
        hint: 'free some space; the next run repairs the log',
      })
    }
    return receipt
  } finally {
    if (isOpen) closeSync(descriptor)
  }
}

/** `receipts.1.jsonl` is the oldest. */
function asideName(number: number): string {
  return `receipts.${number}.jsonl`
}

/** The number of the file that was last put aside; 0 when none was. */
function newestAside(stateFolder: string): number {
  const numbers = readdirSync(stateFolder).map(name =>
    Number(/^receipts\.(\d{1,9})\.jsonl$/.exec(name)?.[1] ?? 0),
  )
  return Math.max(0, ...numbers)
}

function newestReadable(stateFolder: string): number {
  try {
    return newestAside(stateFolder)
  } catch (cause) {
    const code = systemErrorCode(cause)
    if (code === undefined) throw cause
    throw new AppError('FILE_UNREADABLE', `cannot look into \`${stateFolder}\`: ${code}`, {
      hint: 'it holds what is remembered of the project, and should belong to you',
      cause,
    })
  }
}

/** The hash that the first line of a new log refers to. */
function previousEnd(stateFolder: string): string {
  const newest = newestAside(stateFolder)
  return newest === 0 ? FIRST : endOf(join(stateFolder, asideName(newest)))
}

function endOf(path: string): string {
  let descriptor: number | undefined
  try {
    descriptor = openSync(
      path,
      constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
    )
    return readEnd(descriptor, fstatSync(descriptor).size).previous ?? FIRST
  } catch (thrown) {
    if (systemErrorCode(thrown) === undefined) throw thrown
    return FIRST
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** The hash of the last good line, if one is near the end, and whether the file ends inside a line. */
function readEnd(descriptor: number, size: number): { previous: string | undefined; isTorn: boolean } {
  const most = Math.min(MOST_TAIL_BYTES, size)
  for (let length = Math.min(TAIL_BYTES, size); ; length = Math.min(length * 4, most)) {
    const tail = Buffer.alloc(length)
    readSync(descriptor, tail, 0, length, size - length)
    const lines = tail.toString('utf8').split('\n')
    // Unless the whole file was read, the first piece may be part of a line.
    const whole = length === size ? lines : lines.slice(1)
    const last = whole.map(parseReceipt).findLast(receipt => receipt !== undefined)
    const isTorn = lines.at(-1) !== ''
    if (last !== undefined || length === most) return { previous: last?.hash, isTorn }
  }
}

/** Gives one undefined line for a file that cannot be read. */
function readLines(path: string): (string | undefined)[] {
  try {
    const file = readFile(path, { maxBytes: 2 * MOST_BYTES })
    if (file === undefined) return []
    const text = file.bytes.toString('utf8')
    return (text.endsWith('\n') ? text.slice(0, -1) : text)
      .split('\n')
      .filter((line, _, all) => line !== '' || all.length > 1)
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    return [undefined]
  }
}

function faultOf(receipt: Receipt | undefined, previous: string): ReceiptFault['fault'] | undefined {
  if (receipt === undefined) return 'unreadable'
  const { hash, ...unsealed } = receipt
  if (hashReceipt(unsealed) !== hash) return 'altered'
  return receipt.previous === previous ? undefined : 'unlinked'
}
