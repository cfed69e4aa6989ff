// Fields that the registry actions share.
import type { FieldSpec } from '../definition/field-spec.ts'

export const packageName = {
  type: 'string',
  about: 'name of the bundle: `team-tools` or `@team/tools`',
  required: true,
  flag: { position: 'first', value: 'PACKAGE' },
} as const satisfies FieldSpec

export const otherRegistry = {
  type: 'string',
  about: 'address of another registry for this call; NPM_TOKEN is not sent there',
  flag: { value: 'URL' },
} as const satisfies FieldSpec

export const seconds = {
  type: 'number',
  about: 'seconds for the whole call',
  minimum: 0.001,
  maximum: 120,
  default: 60,
  flag: { value: 'S' },
} as const satisfies FieldSpec

export const oneTimePassword = {
  type: 'string',
  about: 'one-time password, if the registry wants one',
  forPeople: true,
  flag: { value: 'CODE' },
} as const satisfies FieldSpec
