// What can go wrong with a provider of embeddings, grouped by what would help: waiting, smaller requests, or
// nothing.
import { AppError, escapeHidden, shortenText } from '../../base/index.ts'

/**
 * `slow`: no answer in time. `busy`: it asks to be asked later. `unreachable`: no connection, or it broke, or a
 * gateway has none. `refused`: it does not accept these texts, or answers with something other than their
 * vectors. `denied`: it would not accept any other texts either.
 */
export type ProviderProblem = 'slow' | 'busy' | 'unreachable' | 'refused' | 'denied'

export class ProviderError extends AppError {
  readonly problem: ProviderProblem
  /** How long the provider asks us to wait; undefined when it does not say. */
  readonly retryAfterMs: number | undefined

  constructor(host: string, { problem, text, retryAfterMs, cause }: ProviderErrorOptions) {
    super('REMOTE_FAILED', `embeddings from \`${host}\`: ${text}`, {
      hint: 'search works without embeddings; see `embeddings` in the user configuration',
      cause,
    })
    this.problem = problem
    this.retryAfterMs = retryAfterMs
  }
}

interface ProviderErrorOptions {
  readonly problem: ProviderProblem
  readonly text: string
  readonly retryAfterMs?: number | undefined
  readonly cause?: unknown
}

const DENIED: ReadonlySet<number> = new Set([401, 402, 403, 404, 405, 407, 410])
const BUSY: ReadonlySet<number> = new Set([408, 425, 429, 503])
/** Not 500: local servers, such as that of llama.cpp, answer so to a text that is too long. */
const UNREACHABLE: ReadonlySet<number> = new Set([502, 504])
const MOST_SAID = 160

export function problemOfStatus(status: number): ProviderProblem {
  if (DENIED.has(status)) return 'denied'
  if (UNREACHABLE.has(status)) return 'unreachable'
  return BUSY.has(status) ? 'busy' : 'refused'
}

/** Reads a `Retry-After`, which is in seconds or a date, as milliseconds from `now`. */
export function readRetryAfter(value: string | null, now: number): number | undefined {
  if (value === null || value.trim() === '') return undefined
  const seconds = Number(value)
  const ms = Number.isNaN(seconds) ? Date.parse(value) - now : seconds * 1000
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

/**
 * What a provider says about a failure, for people: `{"error": "..."}` or `{"error": {"message": "..."}}`.
 * The key is masked.
 */
export function sayingOf(body: unknown, key: string | undefined): string | undefined {
  const error = memberOf(body, 'error') ?? memberOf(body, 'detail') ?? memberOf(body, 'message')
  const said = typeof error === 'string' ? error : memberOf(error, 'message')
  if (typeof said !== 'string' || said.trim() === '') return undefined
  const masked = key ? said.replaceAll(key, '***') : said
  return escapeHidden(shortenText(masked.trim(), MOST_SAID), { oneLine: true })
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}
