// What the log, the metrics and a trace collector are told about a call after it has ended. Contains neither
// its input nor its answer.

export interface CallFacts {
  /** The tool that was called. Calls of unknown tools are not reported. */
  readonly tool: string
  readonly project: string | undefined
  /** The name of the token, where several users share the server. */
  readonly user: string | undefined
  /** `success`, an error code, `question` (to the person), `cancelled`, or `internal` for a bug of ours. */
  readonly outcome: string
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly durationMs: number
  /** As the client sent it; undefined if it sent none. */
  readonly traceparent: string | undefined
}
