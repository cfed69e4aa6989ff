// What `edit` takes, and what it answers with.
import type { SignedType } from '../../../item/index.ts'
import type { CallInput, Fields } from '../../definition/field-spec.ts'
import { itemId, itemType, projectPath } from '../../definition/shared-fields.ts'

export const EDIT_FIELDS = {
  item_id: itemId,
  item_type: itemType,
  take_over: { type: 'boolean', about: 'sign it also if another key signed it, without asking' },
  project_path: projectPath,
} as const satisfies Fields

export type EditInput = CallInput<typeof EDIT_FIELDS>

export interface EditAnswer {
  readonly status: 'edited' | 'unchanged'
  readonly item_type: SignedType
  readonly item_id: string
  readonly path: string
  readonly signed: boolean
  /** Removed and added lines. */
  readonly diff: readonly string[]
  readonly warnings: readonly string[]
}
