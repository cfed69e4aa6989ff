// What a run reports besides its result.
import type { IsolationName } from '../sandbox/isolation-name.ts'

/** `none`: nothing was started on this machine. */
export type UsedIsolation = IsolationName | 'none'

/** What a tool wrote besides its answer. */
export interface Printed {
  readonly stdout: string
  readonly stderr: string
}
