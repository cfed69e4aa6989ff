// Writes the public document of the user's key into the project, where others who get the project find it.
// This alone makes nobody trust it.
import { AppError, commandOf, hintWith } from '../../../base/index.ts'
import { atomicWrite, readFile } from '../../../files/index.ts'
import { fingerprintWords, MAX_IDENTITY_BYTES, printIdentity } from '../../../trust/index.ts'
import { getSigningKey, offeredKeyPath } from '../../../user/index.ts'
import { defineAction } from '../../definition/action.ts'
import type { CallInput, Fields } from '../../definition/field-spec.ts'
import { projectPath } from '../../definition/shared-fields.ts'
import { listKnownKeys } from './find-key.ts'

const OFFER_FIELDS = { project_path: projectPath } as const satisfies Fields

export type KeysOfferInput = CallInput<typeof OFFER_FIELDS>

export interface KeysOfferAnswer {
  readonly status: 'offered' | 'unchanged'
  readonly fingerprint: string
  /** The fingerprint as words, to compare by telephone. */
  readonly words: string
  readonly path: string
  readonly message: string
}

export const keysOffer = defineAction({
  name: 'keys offer',
  description: 'Put the public document of your key into the project, for others to look at and trust.',
  effects: { readOnly: false, destructive: false, openWorld: false },
  forPeople: true,
  fields: OFFER_FIELDS,
  run: async ({ library }, input): Promise<KeysOfferAnswer> => {
    const { projectPath: root, roots } = await library.open(input.project_path)
    // If the project is the user space, the keys that it offers are the keys that the user trusts.
    if (!roots.some(({ type, space }) => type === 'tool' && space === 'user')) {
      throw new AppError('INVALID_INPUT', `\`${root}\` is the user space: a key that lies there is trusted`, {
        hint: hintWith(
          'go to a project, or ',
          commandOf('write the document to a file', 'keys export --out FILE'),
        ),
      })
    }
    const { fingerprint } = getSigningKey(library.userSpace)
    const { own } = await listKnownKeys(library)
    if (!own) throw new Error('unreachable: there is a signing key')
    const path = offeredKeyPath(root, fingerprint)
    const document = printIdentity(own)
    const before = readFile(path, { maxBytes: MAX_IDENTITY_BYTES, root })?.bytes.toString('utf8')
    if (before !== document) atomicWrite(path, document, { root, mode: 0o644 })
    return {
      status: before === document ? 'unchanged' : 'offered',
      fingerprint,
      words: fingerprintWords(fingerprint),
      path,
      message: 'commit it; others compare the words with you, and decide',
    }
  },
})
