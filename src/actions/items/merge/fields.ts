// What `merge` takes, and what it answers with.
import type { SignedType } from '../../../item/index.ts'
import type { CallInput, Fields } from '../../definition/field-spec.ts'

export const MERGE_FIELDS = {
  base: {
    type: 'string',
    about: 'file with the common ancestor: %O',
    required: true,
    flag: { position: 'first', value: 'BASE' },
  },
  ours: {
    type: 'string',
    about: 'file with our version, which is replaced by the result: %A',
    required: true,
    flag: { position: 'first', value: 'OURS' },
  },
  theirs: {
    type: 'string',
    about: 'file with the other version: %B',
    required: true,
    flag: { position: 'first', value: 'THEIRS' },
  },
  path: {
    type: 'string',
    about: 'where the result belongs: %P',
    required: true,
    flag: { position: 'first', value: 'PATH' },
  },
} as const satisfies Fields

export type MergeInput = CallInput<typeof MERGE_FIELDS>

export interface MergeAnswer {
  /** `conflict`: something is left for a person to do, and `reason` says what. */
  readonly status: 'merged' | 'conflict'
  readonly path: string
  readonly signed: boolean
  readonly item_type?: SignedType
  readonly item_id?: string
  readonly reason?: string
}
