// Removes a key from those that the user trusts.
import { removeTrustedKey } from '../../../user/index.ts'
import { defineAction } from '../../definition/action.ts'
import type { CallInput, Fields } from '../../definition/field-spec.ts'

const REMOVE_FIELDS = {
  fingerprint: {
    type: 'string',
    about: '16 hex digits',
    required: true,
    flag: { position: 'first', value: 'FINGERPRINT' },
  },
} as const satisfies Fields

export type KeysRemoveInput = CallInput<typeof REMOVE_FIELDS>

export interface KeysRemoveAnswer {
  readonly status: 'removed'
  readonly fingerprint: string
  readonly message: string
}

export const keysRemove = defineAction({
  name: 'keys remove',
  description: 'Stop trusting a key.',
  effects: { readOnly: false, destructive: true, openWorld: false },
  forPeople: true,
  fields: REMOVE_FIELDS,
  run: async ({ library }, input): Promise<KeysRemoveAnswer> => {
    await removeTrustedKey(library.userSpace, input.fingerprint)
    return {
      status: 'removed',
      fingerprint: input.fingerprint,
      message: 'items that it signed can no longer be used',
    }
  },
})
