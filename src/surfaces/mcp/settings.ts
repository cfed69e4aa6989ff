// What starts `rye mcp`, and what it is told of.

export interface McpSettings {
  readonly version: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Called when a client on stdio has what it needs to begin. */
  readonly onStarted: () => void
  /** Resolves to the exit status once somebody ends it. */
  readonly untilInterrupted: () => Promise<number>
}
