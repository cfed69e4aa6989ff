// Fields that several actions share.
import { ITEM_TYPES } from '../../item/index.ts'
import type { FieldSpec } from './field-spec.ts'

/** The types that carry a signature. */
export const SIGNED_TYPES = [...ITEM_TYPES, 'config'] as const

/** Surfaces that know the project fill it in; over HTTP the caller must. */
export const projectPath = {
  type: 'string',
  about: 'absolute path of the project',
  listed: '',
  required: true,
  filled: true,
  flag: { hidden: true },
} as const satisfies FieldSpec

export const itemId = {
  type: 'string',
  about: 'id such as `rye/bash`; `tool:rye/bash@system` fixes type and space',
  listed: '`ID` or `TYPE:ID@SPACE`',
  required: true,
  flag: { position: 'first', value: 'ITEM' },
} as const satisfies FieldSpec

export const itemType = {
  type: 'string',
  about: 'type of the item; found automatically when left out',
  listed: '',
  values: ITEM_TYPES,
  flag: { name: 'type', value: 'T' },
} as const satisfies FieldSpec
