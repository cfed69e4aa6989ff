// Makes a key trusted, from an identity document that a person names.
import { readIdentityFile, trustIdentity } from '../../../user/index.ts'
import { defineAction } from '../../definition/action.ts'
import type { CallInput, Fields } from '../../definition/field-spec.ts'
import { resolvePath } from '../../definition/resolve-path.ts'

const TRUST_FIELDS = {
  file: {
    type: 'string',
    about: 'an identity document (TOML)',
    required: true,
    flag: { position: 'first', value: 'KEY.toml' },
  },
} as const satisfies Fields

export type KeysTrustInput = CallInput<typeof TRUST_FIELDS>

export interface KeysTrustAnswer {
  readonly status: 'trusted' | 'unchanged'
  readonly fingerprint: string
  readonly owner: string
  readonly message: string
}

export const keysTrust = defineAction({
  name: 'keys trust',
  description: 'Trust the key of an identity document: items that it signed can then be used.',
  effects: { readOnly: false, destructive: false, openWorld: false },
  forPeople: true,
  fields: TRUST_FIELDS,
  run: async (context, input): Promise<KeysTrustAnswer> => {
    const identity = await readIdentityFile(resolvePath(context, input.file))
    const added = await trustIdentity(context.library.userSpace, identity)
    return {
      status: added ? 'trusted' : 'unchanged',
      fingerprint: identity.fingerprint,
      owner: identity.owner,
      message: added ? `items signed by ${identity.owner} can now be used` : 'you already trust this key',
    }
  },
})
