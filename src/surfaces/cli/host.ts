// The process as a command sees it. It is passed to every command that answers and ends, so that one can run
// inside another program without touching its streams. Commands that serve or watch own their process: `mcp`,
// `ui`, `dev`, `demo`.
import type { Output } from './terminal.ts'

export interface Host {
  /** Read for `--params -` and for a person's answers. */
  readonly stdin: NodeJS.ReadableStream
  readonly stdout: Output & Pick<NodeJS.WritableStream, 'on'>
  readonly stderr: Output & NodeJS.WritableStream
  /** Whether there is a person to ask. */
  canAsk(): boolean
  /** Ends the process at once, when its output cannot be written. */
  exit(status: number): void
}
