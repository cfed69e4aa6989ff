// What a scan did not take, and why. A scan says so instead of throwing: one bad file never hides the others.
import { systemErrorCode } from '../base/index.ts'

export type PassReason =
  | 'symbolic-link'
  | 'special-file'
  | 'too-large'
  | 'too-deep'
  | 'too-many'
  | 'skipped-name'
  | 'invalid-name'
  | 'not-an-item'
  | 'unreadable'

export interface PassedOver {
  readonly path: string
  readonly reason: PassReason
  readonly message: string
}

export function passOver(path: string, reason: PassReason, message: string): PassedOver {
  return { path, reason, message }
}

/** For a file or folder that the system would not show. */
export function unreadable(path: string, thrown: unknown): PassedOver {
  return passOver(path, 'unreadable', `the system says ${systemErrorCode(thrown) ?? 'it cannot be read'}`)
}
