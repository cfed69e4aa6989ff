// One receipt: the record of a run, sealed with a hash that covers the receipt before it.
import { isRecord, printCanonicalJson, sha256Hex } from '../base/index.ts'

export interface ReceiptFacts {
  /** ISO 8601, UTC. */
  readonly time: string
  readonly item_id: string
  readonly item_type: string
  readonly space: string
  /** Tool first, primitive last. */
  readonly chain: readonly { readonly item_id: string; readonly digest: string }[]
  /** SHA-256 of the parameters as canonical JSON. The values themselves are never kept. */
  readonly parameters: string
  readonly signer: string | null
  readonly isolation: string
  readonly duration_ms: number
  /** `success`, or the error code. */
  readonly outcome: string
  /** For whom it ran. Receipts of earlier versions have neither this nor `client`. */
  readonly caller?: string
  /** On a shared server: the name of the token used. */
  readonly user?: string
  /** The calling program's own name for itself. Unverified, so nothing is decided by it. */
  readonly client?: string
  /** What a function printed besides its answer; only the end, if it is long. */
  readonly printed?: { readonly stdout: string; readonly stderr: string }
}

export interface Receipt extends ReceiptFacts {
  readonly version: 1
  /** Hash of the previous line; 64 zeros in the first. */
  readonly previous: string
  /** SHA-256 of this receipt as canonical JSON, without this field. */
  readonly hash: string
}

export function hashReceipt(unsealed: Omit<Receipt, 'hash'>): string {
  return sha256Hex(printCanonicalJson(unsealed))
}

/** Undefined for a line that is not a receipt. */
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
