// The process as a command sees it. It is given to every command that answers and ends, so that one can run inside another program
// without touching its streams. Those that serve or watch own their process: `mcp`, `ui`, `dev`, `demo`.
import type { Output } from './terminal.ts'

export interface Host {
  /** Read for `--params -` and for answers of a person. */
  readonly stdin: NodeJS.ReadableStream
  readonly stdout: Output & Pick<NodeJS.WritableStream, 'on'>
  readonly stderr: Output & NodeJS.WritableStream
  /** Whether a person is there to be asked. */
  canAsk(): boolean
  /** Ends the process at once, because its output cannot be written. */
  exit(status: number): void
}
