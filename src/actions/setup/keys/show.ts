// Shows the public part of the user's signing key.
import { getSigningKey } from '../../../user/index.ts'
import { defineAction } from '../../definition/action.ts'
import type { NoInput } from '../../definition/field-spec.ts'
import { describeOwnKey, type OwnKey } from './own-key.ts'

export type KeysShowInput = NoInput

export interface KeysShowAnswer extends OwnKey {
  /** In PEM. */
  readonly public_key: string
}

export const keysShow = defineAction({
  name: 'keys show',
  description: 'Show your public key and its fingerprint.',
  effects: { readOnly: true, destructive: false, openWorld: false },
  forPeople: true,
  fields: {},
  run: async ({ library }): Promise<KeysShowAnswer> => {
    const key = getSigningKey(library.userSpace)
    return { ...(await describeOwnKey(library.userSpace, key)), public_key: key.publicPem }
  },
})
