// Fields that the actions on sources share.
import type { FieldSpec } from '../definition/field-spec.ts'

export const targetSpace = {
  type: 'string',
  about: 'the space that gets them',
  values: ['project', 'user'],
  default: 'project',
} as const satisfies FieldSpec

export const accept = {
  type: 'strings',
  about: 'digest of the set, or of an item, as the dry run showed it: exactly that is accepted',
  default: [],
  flag: { value: 'DIGEST' },
} as const satisfies FieldSpec

export const dryRun = {
  type: 'boolean',
  about: 'show everything for review, and take nothing',
  default: false,
} as const satisfies FieldSpec

export const seconds = {
  type: 'number',
  about: 'seconds for fetching',
  minimum: 0.001,
  maximum: 3600,
  default: 300,
  flag: { value: 'S' },
} as const satisfies FieldSpec
