// What `rye mcp` is started with, and its callbacks.

export interface McpSettings {
  readonly version: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Called once a client on stdio has what it needs to begin. */
  readonly onStarted: () => void
  /** Resolves to the exit status when someone ends the server. */
  readonly untilInterrupted: () => Promise<number>
}
