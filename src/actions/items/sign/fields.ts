// What `sign` takes, and what it answers with.
import type { SignedType, Space } from '../../../item/index.ts'
import type { CallInput, Fields } from '../../definition/field-spec.ts'
import { projectPath, SIGNED_TYPES } from '../../definition/shared-fields.ts'

export const SIGN_FIELDS = {
  item_id: {
    type: 'string',
    about: 'id, or a glob for several: `deploy/*`',
    listed: 'or a glob: `deploy/*`',
    required: true,
    flag: { position: 'first', value: 'ITEM|GLOB' },
  },
  item_type: {
    type: 'string',
    about: '',
    values: SIGNED_TYPES,
    flag: { name: 'type', value: 'T' },
  },
  project_path: projectPath,
  source: {
    type: 'string',
    about: 'space that holds it; the project without it',
    listed: '',
    values: ['project', 'user'],
  },
  location: {
    type: 'string',
    about: 'same as source',
    listed: 'as source',
    values: ['project', 'user'],
    flag: { hidden: true },
  },
  category: {
    type: 'string',
    about: 'directory of the item, when its id is a bare name',
    listed: '',
    flag: { value: 'C' },
  },
  format: {
    type: 'string',
    about: 'v1 for the Python system',
    values: ['v2', 'v1'],
    default: 'v2',
    forPeople: true,
  },
  take_over: {
    type: 'boolean',
    about: 'sign also what another key signed, without asking',
    forPeople: true,
  },
  reviewed: {
    type: 'boolean',
    about: 'for a pattern: you have also reviewed what others made and what a reviewer would stop at',
    forPeople: true,
  },
  resolve: {
    type: 'boolean',
    about: 'sign what git merged when only the signature lines conflict',
    forPeople: true,
  },
  digest: {
    type: 'string',
    about: 'sign only what `show --content` gave this digest for',
    forPeople: true,
    flag: { value: 'SHA256' },
  },
} as const satisfies Fields

export type SignInput = CallInput<typeof SIGN_FIELDS>
export type SignAnswer = SignedItem | SignedBatch

export interface SignedItem {
  readonly status: 'signed'
  /** It has this signature already: nothing was written. */
  readonly unchanged?: true
  readonly item_type: SignedType
  readonly item_id: string
  readonly path: string
  readonly location: Space
  readonly signature: {
    readonly timestamp: string
    readonly hash: string
    readonly ed25519_sig: string
    readonly pubkey_fp: string
    readonly format: 'v1' | 'v2'
  }
  readonly warnings: readonly string[]
  readonly message: string
}

/** For a glob. */
export interface SignedBatch {
  readonly status: 'completed'
  readonly signed: readonly string[]
  readonly failed: readonly {
    readonly item: string
    readonly error: string
    readonly details: readonly string[]
    /** What to do about it, if known. */
    readonly hint?: string
  }[]
  /**
   * The first items that were not written: the same key, or others that the user trusts, signed them as they
   * are.
   */
  readonly unchanged: readonly string[]
  /** How many more are unchanged. */
  readonly more_unchanged?: number
  /** How many more there are of each, in the answer to an agent. */
  readonly more_signed?: number
  readonly more_failed?: number
  readonly more_warnings?: number
  readonly more_left_out?: number
  readonly total: number
  readonly summary: string
  /** What the signer should know, for each item with warnings. */
  readonly warnings?: readonly { readonly item: string; readonly warnings: readonly string[] }[]
  /** Files in the place of items that cannot be items. */
  readonly left_out?: readonly { readonly path: string; readonly reason: string }[]
  /** With `reviewed`: what there was to review. */
  readonly saw?: readonly { readonly item: string; readonly seen: readonly string[] }[]
  /** A problem with the key, if what it signs cannot be used here. */
  readonly warning?: string
}
