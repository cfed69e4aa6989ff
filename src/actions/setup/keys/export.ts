// Prints the public document of a key, to hand to others. The private key never leaves its file.
import { dirname } from 'node:path'
import { atomicWrite } from '../../../files/index.ts'
import { type Identity, printIdentity } from '../../../trust/index.ts'
import { getSigningKey } from '../../../user/index.ts'
import { type ActionContext, defineAction } from '../../definition/action.ts'
import type { CallInput, Fields } from '../../definition/field-spec.ts'
import { resolvePath } from '../../definition/resolve-path.ts'
import { chooseKey, listKnownKeys, noSuchKey } from './find-key.ts'

const EXPORT_FIELDS = {
  key: {
    type: 'string',
    about: 'which key: its fingerprint, at least 4 digits of it, or its owner; your own without it',
    flag: { position: 'first', value: 'FINGERPRINT' },
  },
  out: { type: 'string', about: 'write it to this new file', flag: { value: 'FILE' } },
} as const satisfies Fields

export type KeysExportInput = CallInput<typeof EXPORT_FIELDS>

export interface KeysExportAnswer {
  readonly fingerprint: string
  readonly owner: string
  /** The identity document (TOML). */
  readonly document: string
  /** The file that the document was written to. */
  readonly out?: string
}

export const keysExport = defineAction({
  name: 'keys export',
  description: 'Print the public document of a key, for others to trust.',
  effects: { readOnly: false, destructive: false, openWorld: false },
  forPeople: true,
  fields: EXPORT_FIELDS,
  run: async (context, input): Promise<KeysExportAnswer> => {
    const identity = await findIdentity(context, input.key)
    const { fingerprint, owner } = identity
    const document = printIdentity(identity)
    const out = input.out === undefined ? undefined : resolvePath(context, input.out)
    if (out !== undefined) atomicWrite(out, document, { root: dirname(out), mode: 0o644, expect: 'absent' })
    return { fingerprint, owner, document, ...(out !== undefined && { out }) }
  },
})

async function findIdentity({ library }: ActionContext, name: string | undefined): Promise<Identity> {
  const { trusted, own } = await listKnownKeys(library)
  if (name !== undefined) {
    const key = chooseKey(name, [...trusted.values(), ...(own ? [own] : [])])
    if (!key) throw noSuchKey(name)
    return key
  }
  // Throws if there is no own key, with a hint on how to make one.
  getSigningKey(library.userSpace)
  if (!own) throw new Error('unreachable: there is a signing key')
  return own
}
