// Parts that several answers share.
import type { Space } from '../../item/index.ts'

/** A space that holds an item of the same type and id, hidden by this one. */
export interface Shadow {
  readonly space: Space
}

/** Something about a file that was noticed on the way. */
export interface FileNote {
  readonly path: string
  readonly code: string
  readonly message: string
}
