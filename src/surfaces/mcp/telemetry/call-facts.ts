// What is told of one call when it has ended: to the log, to the metrics, to a collector of traces. Nothing that it was given, and nothing
// that it answered.

export interface CallFacts {
  /** The tool that was called, as the client named it if there is none of that name. */
  readonly tool: string
  readonly project: string | undefined
  /** The name of the token, where several users share the server. */
  readonly user: string | undefined
  /** `success`, the code of a failure, `question` to the person, `cancelled`, or `internal` for a fault of ours. */
  readonly outcome: string
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly durationMs: number
  /** As the client sent it, if it did. */
  readonly traceparent: string | undefined
}
