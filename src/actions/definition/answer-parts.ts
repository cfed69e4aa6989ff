// Parts that several answers share.
import type { Space } from '../../item/index.ts'

/** A space that holds an item of the same type and id, hidden by this one. */
export interface Shadow {
  readonly space: Space
}

/** A remark about a file that the action came across. */
export interface FileNote {
  readonly path: string
  readonly code: string
  readonly message: string
}
