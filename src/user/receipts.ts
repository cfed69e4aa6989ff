// The log of runs: one JSON line each, in `.ai/state/receipts.jsonl`, every line holding the hash of the line before it.
// Appending reads the last line and writes the next under a lock, with one write to the end of the file. A line that
// a crash left incomplete is ended, stays visible as damage, and the chain goes on from the last good line.
import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { AppError, isRecord, printCanonicalJson, sha256Hex, systemErrorCode } from '../base/index.ts'
import { acquireLock, makeStateFolder, readFile } from '../files/index.ts'

export interface ReceiptFacts {
  /** ISO 8601, UTC. */
  readonly time: string
  readonly item_id: string
  readonly item_type: string
  readonly space: string
  /** Tool first, primitive last. */
  readonly chain: readonly { readonly item_id: string; readonly digest: string }[]
  /** SHA-256 of the parameters as canonical JSON: the values themselves are never kept. */
  readonly parameters: string
  readonly signer: string | null
  readonly isolation: string
  readonly duration_ms: number
  /** `success`, or the code of the error. */
  readonly outcome: string
  /** What a function printed beside its answer: the end of it, if it is long. */
  readonly printed?: { readonly stdout: string; readonly stderr: string }
}

export interface Receipt extends ReceiptFacts {
  readonly version: 1
  /** Hash of the line before; 64 zeros in the first. */
  readonly previous: string
  /** SHA-256 of this receipt as canonical JSON, without this member. */
  readonly hash: string
}

export interface ReceiptFault {
  /** One-based. */
  readonly line: number
  readonly fault: 'unreadable' | 'altered' | 'unlinked'
}

export interface ReceiptLog {
  readonly receipts: readonly Receipt[]
  readonly faults: readonly ReceiptFault[]
}

export interface ReceiptFilter {
  readonly itemId?: string
  readonly outcome?: string
  /** ISO 8601 in UTC, as receipts have it; receipts before it are left out. */
  readonly since?: string
}

const FIRST = '0'.repeat(64)
const TAIL_BYTES = 65_536
/** About half a million runs, and close to the longest string that Node can hold. */
const MAX_BYTES = 268_435_456
// A link here would have come with the project: a run that followed it could write to any file of the user.
const APPEND =
  constants.O_APPEND |
  constants.O_CREAT |
  constants.O_RDWR |
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NONBLOCK ?? 0)
const LOCK = { waitMs: 5_000, holdMs: 10_000 }

export function receiptsPath(projectPath: string): string {
  return join(projectPath, '.ai', 'state', 'receipts.jsonl')
}

/** Appends one receipt and returns it. Throws `WRITE_FAILED` when the log cannot be written. */
export async function appendReceipt(projectPath: string, facts: ReceiptFacts): Promise<Receipt> {
  const path = receiptsPath(projectPath)
  try {
    makeStateFolder(projectPath)
    const lock = await acquireLock(`${path}.lock`, LOCK)
    try {
      return appendLine(path, facts)
    } finally {
      lock.release()
    }
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code !== 'EXECUTION_TIMEOUT') throw thrown
    const reason = systemErrorCode(thrown) ?? 'another process holds its lock'
    throw new AppError('WRITE_FAILED', `cannot append to \`${path}\`: ${reason}`, { cause: thrown })
  }
}

/** Reads and checks the whole log. Damage is reported, never thrown; a missing log is an empty one. */
export function readReceipts(projectPath: string): ReceiptLog {
  const receipts: Receipt[] = []
  const faults: ReceiptFault[] = []
  let previous = FIRST
  for (const [index, text] of readLines(projectPath).entries()) {
    const receipt = parseReceipt(text)
    const fault = faultOf(receipt, previous)
    if (fault) faults.push({ line: index + 1, fault })
    if (receipt === undefined) continue
    receipts.push(receipt)
    previous = receipt.hash
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

function appendLine(path: string, facts: ReceiptFacts): Receipt {
  const descriptor = openSync(path, APPEND, 0o600)
  try {
    if (!fstatSync(descriptor).isFile()) {
      throw new AppError('WRITE_FAILED', `cannot append to \`${path}\`: it is not a plain file`)
    }
    const { previous, isTorn } = readEnd(descriptor)
    const unsealed = { ...facts, version: 1 as const, previous }
    const receipt: Receipt = { ...unsealed, hash: hashOf(unsealed) }
    const line = Buffer.from(`${isTorn ? '\n' : ''}${printCanonicalJson(receipt)}\n`)
    if (writeSync(descriptor, line) !== line.length) {
      throw new AppError('WRITE_FAILED', `cannot append to \`${path}\`: the line was cut short`, {
        hint: 'free some space; the next run repairs the log',
      })
    }
    return receipt
  } finally {
    closeSync(descriptor)
  }
}

/** The hash of the last good line, and whether the file ends inside a line. */
function readEnd(descriptor: number): { previous: string; isTorn: boolean } {
  const { size } = fstatSync(descriptor)
  for (let length = Math.min(TAIL_BYTES, size); ; length = Math.min(length * 4, size)) {
    const tail = Buffer.alloc(length)
    readSync(descriptor, tail, 0, length, size - length)
    const lines = tail.toString('utf8').split('\n')
    // Unless the whole file was read, the first piece may begin inside a line.
    const whole = length === size ? lines : lines.slice(1)
    const last = whole.map(parseReceipt).findLast(receipt => receipt !== undefined)
    const isTorn = lines.at(-1) !== ''
    if (last !== undefined) return { previous: last.hash, isTorn }
    if (length === size) return { previous: FIRST, isTorn }
  }
}

function readLines(projectPath: string): string[] {
  const file = readFile(receiptsPath(projectPath), { maxBytes: MAX_BYTES, root: projectPath })
  if (file === undefined) return []
  const text = file.bytes.toString('utf8')
  return (text.endsWith('\n') ? text.slice(0, -1) : text)
    .split('\n')
    .filter((line, _, all) => line !== '' || all.length > 1)
}

function faultOf(receipt: Receipt | undefined, previous: string): ReceiptFault['fault'] | undefined {
  if (receipt === undefined) return 'unreadable'
  const { hash, ...unsealed } = receipt
  if (hashOf(unsealed) !== hash) return 'altered'
  return receipt.previous === previous ? undefined : 'unlinked'
}

function hashOf(unsealed: Omit<Receipt, 'hash'>): string {
  return sha256Hex(printCanonicalJson(unsealed))
}

function parseReceipt(line: string): Receipt | undefined {
  if (!line.startsWith('{')) return undefined
  let parsed: unknown
  try {
    parsed = JSON.parse(line)
  } catch {
    return undefined
  }
  return isReceipt(parsed) ? parsed : undefined
}

const TEXTS = ['time', 'item_id', 'item_type', 'space', 'parameters', 'isolation', 'outcome'] as const

function isReceipt(value: unknown): value is Receipt {
  if (!isRecord(value) || value.version !== 1) return false
  if (!TEXTS.every(name => typeof value[name] === 'string')) return false
  if (!isHash(value.hash) || !isHash(value.previous)) return false
  if (typeof value.duration_ms !== 'number' || !(value.signer === null || typeof value.signer === 'string'))
    return false
  return Array.isArray(value.chain) && value.chain.every(isLink)
}

function isLink(value: unknown): boolean {
  return isRecord(value) && typeof value.item_id === 'string' && typeof value.digest === 'string'
}

function isHash(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
}
