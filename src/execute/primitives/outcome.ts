// What is told of a run, apart from how it was done.
import type { IsolationName } from '../sandbox/isolation-name.ts'

/** `none`: nothing was started on this machine. */
export type UsedIsolation = IsolationName | 'none'

/** What a tool wrote beside its answer. */
export interface Printed {
  readonly stdout: string
  readonly stderr: string
}
