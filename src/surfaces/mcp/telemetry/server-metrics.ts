// What a server counts: calls, their durations, verdicts, and what waits or runs now.
import type { ErrorCode } from '../../../base/index.ts'
import type { RunnerUsage } from '../../../execute/index.ts'
import { PROFILES } from '../profiles.ts'
import type { CallFacts } from './call-facts.ts'
import { Counter, gauge, Histogram, type Metric, printMetrics } from './metrics.ts'

/** Values that are read when the metrics are printed. */
export interface Levels {
  readonly busy: () => number
  readonly waiting: () => number
  readonly droppedSpans: () => number
  readonly runner: () => Promise<RunnerUsage>
}

const VERDICTS = ['verified', 'tampered', 'untrusted', 'unsigned', 'malformed']
const STATUSES = [200, 202, 400, 401, 403, 404, 405, 406, 413, 415, 429, 500, 503].map(String)
const PATHS = ['/mcp', '/metrics', '/healthz', '/readyz']
/** From an answer out of memory to the longest that a tool may take. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120]

/** A record over all codes, so that a new one cannot be forgotten here. */
const CODES: Readonly<Record<ErrorCode, true>> = {
  ...{ INVALID_ID: true, INVALID_INPUT: true, ITEM_NOT_FOUND: true, ITEM_AMBIGUOUS: true, ITEM_EXISTS: true },
  ...{ ITEM_MALFORMED: true, ITEM_UNSIGNED: true, ITEM_TAMPERED: true, ITEM_UNTRUSTED: true },
  ...{ ITEM_ROLLED_BACK: true, VALIDATION_FAILED: true, SPACE_IMMUTABLE: true, PROJECT_NOT_FOUND: true },
  ...{ QUERY_SYNTAX: true, SCOPE_SYNTAX: true, KEY_MISSING: true, KEY_INVALID: true, KEY_EXISTS: true },
  ...{ POLICY_DENIED: true, CONFIG_INVALID: true, FILE_UNREADABLE: true, FILE_TOO_LARGE: true },
  ...{ WRITE_FAILED: true, CHAIN_BROKEN: true, CHAIN_CYCLE: true, CHAIN_TOO_DEEP: true, CHAIN_INVALID: true },
  ...{ PRIMITIVE_UNKNOWN: true, INTERPRETER_MISSING: true, PARAMETERS_INVALID: true },
  ...{ EXECUTION_FAILED: true, EXECUTION_TIMEOUT: true, EXECUTION_CANCELLED: true, OUTPUT_TOO_LARGE: true },
  ...{ ISOLATION_UNAVAILABLE: true, NETWORK_REFUSED: true, REMOTE_FAILED: true, NOT_AVAILABLE: true },
}
const OUTCOMES = ['success', 'question', 'cancelled', 'internal', ...Object.keys(CODES)]

export class ServerMetrics {
  readonly #calls = new Counter('rye_calls_total', 'Calls of tools, by outcome.', {
    tool: PROFILES.all,
    outcome: OUTCOMES,
  })
  readonly #seconds = new Histogram(
    'rye_call_seconds',
    'How long calls of tools took.',
    { tool: PROFILES.all },
    SECONDS,
  )
  readonly #verdicts = new Counter('rye_verdicts_total', 'Verdicts on items that were asked for.', {
    verdict: VERDICTS,
  })
  readonly #requests = new Counter('rye_http_requests_total', 'HTTP requests, by path and status.', {
    path: PATHS,
    status: STATUSES,
  })
  readonly #startedAt = Date.now()

  countCall({ tool, outcome, durationMs }: CallFacts): void {
    this.#calls.add({ tool, outcome })
    this.#seconds.observe({ tool }, durationMs / 1000)
  }

  countVerdict(verdict: string): void {
    this.#verdicts.add({ verdict })
  }

  countRequest(path: string, status: number): void {
    this.#requests.add({ path, status: String(status) })
  }

  async print(levels: Levels): Promise<string> {
    const { running, waiting, idleWorkers } = await levels.runner()
    const metrics: Metric[] = [
      this.#calls,
      this.#seconds,
      this.#verdicts,
      this.#requests,
      gauge('rye_http_requests_in_flight', 'HTTP requests that are being answered.', levels.busy),
      gauge('rye_calls_waiting', 'Calls that wait because of the limits of their token.', levels.waiting),
      gauge('rye_runs_running', 'Tools that run.', () => running),
      gauge('rye_runs_waiting', 'Tools that wait for their turn.', () => waiting),
      gauge('rye_workers_idle', 'Warm workers that wait for a call.', () => idleWorkers),
      gauge('rye_spans_dropped', 'Spans that no collector accepted since the start.', levels.droppedSpans),
      gauge('process_start_time_seconds', 'When the process started.', () => this.#startedAt / 1000),
      gauge('process_resident_memory_bytes', 'Memory of the process.', () => process.memoryUsage.rss()),
    ]
    return printMetrics(metrics)
  }
}
