// Lists the keys that the user trusts, with their bounds, and those that are revoked.
import { isExpired, type TrustBounds } from '../../../trust/index.ts'
import { listTrustedKeys, signingKeyPaths } from '../../../user/index.ts'
import { defineAction } from '../../definition/action.ts'
import type { NoInput } from '../../definition/field-spec.ts'
import { readOwnKey } from './find-key.ts'

export type KeysListInput = NoInput

export interface KeysListAnswer {
  readonly keys: readonly {
    readonly fingerprint: string
    readonly owner: string
    readonly path: string
    /** Set when it is the user's own key. */
    readonly own?: true
    /** What the trust is limited to. */
    readonly bounds?: TrustBounds
    /** Set when its time is over: nothing that it signed can be used. */
    readonly expired?: true
  }[]
  /** Keys whose signatures are not accepted. */
  readonly revoked: readonly {
    readonly fingerprint: string
    readonly path: string
    readonly reason: string
    readonly at?: string
    /** Whether the key itself signed the revocation; otherwise only the user decided it. */
    readonly signed: boolean
    readonly own?: true
  }[]
  /** Files among the keys that are not keys, or cannot be read; the user's own key, if it must not be used. */
  readonly faults: readonly { readonly path: string; readonly reason: string }[]
}

export const keysList = defineAction({
  name: 'keys list',
  description: 'List the keys that you trust, for what, and those that are revoked.',
  effects: { readOnly: true, destructive: false, openWorld: false },
  forPeople: true,
  fields: {},
  run: async ({ library }): Promise<KeysListAnswer> => {
    const { keys, revoked, faults } = await listTrustedKeys(library.userSpace)
    const { key, fault } = readOwnKey(library.userSpace)
    const own = key?.fingerprint
    const now = library.now()
    return {
      keys: [...keys.values()].map(({ fingerprint, owner, path, bounds }) => ({
        fingerprint,
        owner,
        path,
        ...(fingerprint === own && { own: true }),
        ...(bounds && { bounds }),
        ...(bounds && isExpired(bounds, now) && { expired: true }),
      })),
      revoked: [...revoked.values()].map(({ fingerprint, path, reason, document }) => ({
        fingerprint,
        path,
        reason,
        ...(document && { at: document.at }),
        signed: document?.signed !== undefined,
        ...(fingerprint === own && { own: true }),
      })),
      faults: [
        ...faults,
        ...(fault === undefined ? [] : [{ path: signingKeyPaths(library.userSpace).current, reason: fault }]),
      ],
    }
  },
})
