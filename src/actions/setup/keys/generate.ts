// Creates the user's signing key, or imports one, and trusts it.
import { AppError } from '../../../base/index.ts'
import { generateSigningKey, importSigningKey } from '../../../user/index.ts'
import { defineAction } from '../../definition/action.ts'
import type { CallInput, Fields } from '../../definition/field-spec.ts'
import { ownerOf } from './find-key.ts'
import { describeOwnKey, type OwnKey } from './own-key.ts'

const GENERATE_FIELDS = {
  owner: {
    type: 'string',
    about: 'whose key it is; without it, what your global git settings call you',
    flag: { value: 'NAME' },
  },
  from_env: {
    type: 'string',
    about: 'import the private key from this environment variable instead (PEM, or base64 of PEM)',
    flag: { value: 'NAME' },
  },
} as const satisfies Fields

export type KeysGenerateInput = CallInput<typeof GENERATE_FIELDS>

export interface KeysGenerateAnswer extends OwnKey {
  readonly message: string
}

export const keysGenerate = defineAction({
  name: 'keys generate',
  description: 'Create your signing key, and trust it.',
  effects: { readOnly: false, destructive: false, openWorld: false },
  forPeople: true,
  fields: GENERATE_FIELDS,
  run: async ({ library }, input): Promise<KeysGenerateAnswer> => {
    const { userSpace } = library
    const owner = input.owner?.trim() || ownerOf(library)
    if (input.from_env === undefined) {
      const made = await generateSigningKey(userSpace, owner)
      return { ...(await describeOwnKey(userSpace, made)), message: 'created your signing key' }
    }
    const text = library.environment[input.from_env]
    if (!text) throw new AppError('KEY_MISSING', `the environment variable \`${input.from_env}\` is not set`)
    const imported = await importSigningKey(userSpace, text, owner)
    return { ...(await describeOwnKey(userSpace, imported)), message: 'imported your signing key' }
  },
})
