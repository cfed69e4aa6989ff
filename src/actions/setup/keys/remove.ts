// Removes a key from those that the user trusts.
import { isFingerprint } from '../../../trust/index.ts'
import { removeTrustedKey } from '../../../user/index.ts'
import { defineAction } from '../../definition/action.ts'
import type { CallInput, Fields } from '../../definition/field-spec.ts'
import { chooseKey, listKnownKeys, noSuchKey } from './find-key.ts'

const REMOVE_FIELDS = {
  fingerprint: {
    type: 'string',
    about: 'which key: its fingerprint, at least 4 digits of it, or its owner',
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
    const { userSpace } = library
    const { trusted, own } = await listKnownKeys(library)
    const key = chooseKey(input.fingerprint, trusted.values())
    // A damaged document is not listed, but can still be removed by its fingerprint.
    const fingerprint = key?.fingerprint ?? input.fingerprint
    if (!isFingerprint(fingerprint)) throw noSuchKey(input.fingerprint)
    await removeTrustedKey(userSpace, fingerprint)
    const message =
      fingerprint === own?.fingerprint
        ? `it is your own key: nothing that it signs can be used here until \`rye keys trust ${fingerprint}\``
        : 'items that it signed can no longer be used'
    return { status: 'removed', fingerprint, message }
  },
})
