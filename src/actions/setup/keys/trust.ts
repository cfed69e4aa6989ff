// Makes a key trusted, from an identity document that a person names, without limits or within bounds.
import { isDeepStrictEqual } from 'node:util'
import { AppError, quoteText } from '../../../base/index.ts'
import { stateAt } from '../../../files/index.ts'
import {
  describeBounds,
  fingerprintWords,
  type Identity,
  isExpired,
  isFingerprint,
  isVouchOf,
  type TrustBounds,
} from '../../../trust/index.ts'
import {
  type ListedKey,
  listOfferedKeys,
  listOldKeys,
  readIdentityFile,
  trustIdentity,
} from '../../../user/index.ts'
import { type ActionContext, defineAction } from '../../definition/action.ts'
import type { CallInput, Fields } from '../../definition/field-spec.ts'
import { resolvePath } from '../../definition/resolve-path.ts'
import { fetchIdentity, isKeyAddress } from './fetch-identity.ts'
import { chooseKey, type KnownKeys, listKnownKeys, noSuchKey } from './find-key.ts'
import { readGivenBounds } from './given-bounds.ts'

const TRUST_FIELDS = {
  file: {
    type: 'string',
    about:
      'an identity document (TOML), the https address of one, or the fingerprint of a key that you trust or that the project offers',
    required: true,
    flag: { position: 'first', value: 'KEY.toml' },
  },
  fingerprint: {
    type: 'string',
    about: 'of the key that is expected, for a document from an address',
    flag: { value: 'F' },
  },
  for: {
    type: 'strings',
    about: 'only items of this type and id: `tool:team/*`; `**` stands for any depth; repeatable',
    default: [],
    flag: { value: 'GLOB' },
  },
  project: {
    type: 'strings',
    about: 'only items in this project; repeatable',
    default: [],
    flag: { value: 'PATH' },
  },
  until: {
    type: 'string',
    about: 'only until the end of this day (UTC), or this moment: `2027-01-31T12:00:00Z`',
    flag: { value: 'DATE' },
  },
  despite_revocation: {
    type: 'boolean',
    about: 'trust it although it is revoked, and forget the revocation',
  },
} as const satisfies Fields

export type KeysTrustInput = CallInput<typeof TRUST_FIELDS>

export interface KeysTrustAnswer {
  readonly status: 'trusted' | 'unchanged'
  readonly fingerprint: string
  readonly owner: string
  /** The fingerprint as words, to compare by telephone. */
  readonly words: string
  /** What the trust is limited to. */
  readonly bounds?: TrustBounds
  /** A key that the user trusts and that vouches for this one. */
  readonly vouched_by?: { readonly fingerprint: string; readonly owner: string }
  readonly message: string
}

export const keysTrust = defineAction({
  name: 'keys trust',
  description:
    'Trust the key of an identity document: items that it signed can then be used, all of them or those within the bounds that you give.',
  effects: { readOnly: false, destructive: false, openWorld: false },
  forPeople: true,
  fields: TRUST_FIELDS,
  run: async (context, input): Promise<KeysTrustAnswer> => {
    const { userSpace } = context.library
    const known = await listKnownKeys(context.library)
    const identity = isKeyAddress(input.file)
      ? await fetchIdentity(context, input.file, input.fingerprint)
      : await findIdentity(context, known, input.file)
    const voucher = voucherOf(identity, known, context.library.now())
    const bounds =
      readGivenBounds(context, input) ?? inheritedBounds(known.trusted.get(identity.fingerprint), voucher)
    const added = await trustIdentity(userSpace, identity, {
      bounds,
      despiteRevocation: input.despite_revocation === true,
    })
    const { fingerprint, owner } = identity
    return {
      status: added ? 'trusted' : 'unchanged',
      fingerprint,
      owner,
      words: fingerprintWords(fingerprint),
      ...(bounds && { bounds }),
      ...(voucher && { vouched_by: { fingerprint: voucher.fingerprint, owner: voucher.owner } }),
      message: [
        added
          ? `items signed by ${owner} can now be used${bounds ? ` ${describeBounds(bounds)}` : ''}`
          : 'you already trust this key',
        ...(voucher ? [`vouched for by ${voucher.fingerprint} (${voucher.owner}), which you trust`] : []),
      ].join('; '),
    }
  },
})

/**
 * Finds an identity by file or by name. Names of trusted keys come first, so that no file or project offer
 * can stand in for a trusted key; nor can a key whose owner has the name of a file stand in for that file. A
 * key offered by the project must be named by its whole fingerprint, because a stranger chooses the owner and
 * can choose the first digits.
 */
async function findIdentity(context: ActionContext, known: KnownKeys, name: string): Promise<Identity> {
  const { trusted, own } = known
  const chosen = chooseKey(name, [...trusted.values(), ...(own ? [own] : [])])
  const file = name.endsWith('.toml') || name.includes('/') ? resolvePath(context, name) : undefined
  if (chosen && file !== undefined && stateAt(file)) {
    const both = `${quoteText(name)} is a file, and the owner of ${chosen.fingerprint}, which you trust`
    throw new AppError('INVALID_INPUT', both, {
      hint: 'give the whole fingerprint, or another path of the file',
    })
  }
  if (chosen) return chosen
  if (file !== undefined) return readIdentityFile(file)
  const offered = await listOffers(context)
  const offer = offered.find(key => key.fingerprint === name)
  if (offer) return offer
  if (isFingerprint(name)) throw noSuchKey(name)
  const similar = offered.filter(key => key.owner === name || key.fingerprint.startsWith(name))
  if (name === '' || similar.length === 0) throw noSuchKey(name)
  const shown = similar.map(key => `${key.fingerprint} of ${quoteText(key.owner)}`).join(', ')
  throw new AppError(
    'INVALID_INPUT',
    `${quoteText(name)} is no key that you trust; the project offers ${shown}`,
    {
      hint: 'compare the fingerprint with its owner, and give all of it',
    },
  )
}

/**
 * A key vouched for by another gets at most the other's bounds, unless the person says otherwise. An earlier
 * decision about the key stays.
 */
function inheritedBounds(
  known: ListedKey | undefined,
  voucher: ListedKey | undefined,
): TrustBounds | undefined {
  return known && !isDeepStrictEqual(known.bounds, voucher?.bounds) ? undefined : voucher?.bounds
}

/**
 * Returns the trusted key that vouches for this one. Throws `KEY_INVALID` if the document claims that a
 * trusted key does, and it does not.
 */
function voucherOf({ vouch, pem }: Identity, { trusted }: KnownKeys, now: Date): ListedKey | undefined {
  const voucher = vouch && trusted.get(vouch.fingerprint)
  if (!voucher) return undefined
  if (!isVouchOf(voucher, pem, vouch)) {
    const says = `the document says that ${voucher.fingerprint} vouches for this key, but it does not`
    throw new AppError('KEY_INVALID', says, { hint: 'somebody forged it: do not trust it' })
  }
  return voucher.bounds && isExpired(voucher.bounds, now) ? undefined : voucher
}

async function listOffers({ library, directory }: ActionContext): Promise<Identity[]> {
  const old = (await listOldKeys(library.userSpace)).keys.values()
  if (directory === undefined) return [...old]
  return [...old, ...(await listOfferedKeys(directory)).keys.values()]
}
