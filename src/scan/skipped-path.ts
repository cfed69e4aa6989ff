// What a scan skipped, and why. It is reported instead of thrown: one bad file never hides the others.
import { systemErrorCode } from '../base/index.ts'

export type SkipReason =
  | 'symbolic-link'
  | 'special-file'
  | 'too-large'
  | 'too-deep'
  | 'too-many'
  | 'skipped-name'
  | 'invalid-name'
  | 'not-an-item'
  | 'unreadable'

export interface SkippedPath {
  readonly path: string
  readonly reason: SkipReason
  readonly message: string
}

export function skippedPath(path: string, reason: SkipReason, message: string): SkippedPath {
  return { path, reason, message }
}

/** For a file or folder that could not be read. */
export function unreadable(path: string, thrown: unknown): SkippedPath {
  return skippedPath(path, 'unreadable', `the system says ${systemErrorCode(thrown) ?? 'it cannot be read'}`)
}
