// One receipt: what is kept of a run, sealed with a hash that covers the receipt before it.
import { isRecord, printCanonicalJson, sha256Hex } from '../base/index.ts'

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
  /** For whom it ran; receipts of earlier versions have neither this nor `client`. */
  readonly caller?: string
  /** Of a server that several share: the name of the token that was shown. */
  readonly user?: string
  /** The program that called, as it names itself: a claim, by which nothing is decided. */
  readonly client?: string
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

export function hashReceipt(unsealed: Omit<Receipt, 'hash'>): string {
  return sha256Hex(printCanonicalJson(unsealed))
}

/** Undefined for a line that is no receipt. */
export function parseReceipt(line: string): Receipt | undefined {
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
  if (![value.caller, value.client, value.user].every(text => text === undefined || typeof text === 'string'))
    return false
  return Array.isArray(value.chain) && value.chain.every(isLink)
}

function isLink(value: unknown): boolean {
  return isRecord(value) && typeof value.item_id === 'string' && typeof value.digest === 'string'
}

function isHash(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
}
