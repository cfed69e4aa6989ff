// The keys that the user trusts.
import { findSigningKey, listTrustedKeys } from '../../../user/index.ts'
import { defineAction } from '../../definition/action.ts'
import type { NoInput } from '../../definition/field-spec.ts'

export type KeysListInput = NoInput

export interface KeysListAnswer {
  readonly keys: readonly {
    readonly fingerprint: string
    readonly owner: string
    readonly path: string
    /** It is the user's own. */
    readonly own?: true
  }[]
  /** Files among the keys that are not keys, or cannot be read. */
  readonly faults: readonly { readonly path: string; readonly reason: string }[]
}

export const keysList = defineAction({
  name: 'keys list',
  description: 'List the keys that you trust.',
  effects: { readOnly: true, destructive: false, openWorld: false },
  forPeople: true,
  fields: {},
  run: async ({ library }): Promise<KeysListAnswer> => {
    const { keys, faults } = await listTrustedKeys(library.userSpace)
    const own = findSigningKey(library.userSpace)?.fingerprint
    return {
      keys: [...keys.values()].map(key => ({
        fingerprint: key.fingerprint,
        owner: key.owner,
        path: key.path,
        ...(key.fingerprint === own && { own: true }),
      })),
      faults,
    }
  },
})
