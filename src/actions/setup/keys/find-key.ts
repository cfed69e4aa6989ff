// The keys that a command may refer to, and how to find the one that a person named.
import { AppError, commandOf, quoteText } from '../../../base/index.ts'
import { describeKey, type Identity, keysNamed, type SigningKey } from '../../../trust/index.ts'
import { defaultOwner, findSigningKey, type ListedKey, listTrustedKeys } from '../../../user/index.ts'
import { homeOf, type Library } from '../../../workspace/index.ts'

export interface KnownKeys {
  /** By fingerprint. */
  readonly trusted: ReadonlyMap<string, ListedKey>
  /** The user's own key, even if it is not trusted. */
  readonly own: Identity | undefined
}

export async function listKnownKeys(library: Library): Promise<KnownKeys> {
  const { keys } = await listTrustedKeys(library.userSpace)
  const { key: signing } = readOwnKey(library.userSpace)
  const own = signing && (keys.get(signing.fingerprint) ?? describeKey(signing.publicPem, ownerOf(library)))
  return { trusted: keys, own }
}

/**
 * The user's own key, or why it must not be used; neither when there is none. A key that must not be used does
 * not prevent listing the others, or ending the trust in one.
 */
export function readOwnKey(userSpace: string): { readonly key?: SigningKey; readonly fault?: string } {
  try {
    const key = findSigningKey(userSpace)
    return key ? { key } : {}
  } catch (thrown) {
    if (thrown instanceof AppError) return { fault: thrown.message }
    throw thrown
  }
}

/** The default owner of a new key. */
export function ownerOf({ environment }: Library): string {
  return defaultOwner({ home: homeOf(environment), environment })
}

/** Returns the one key that a name matches, or undefined. Throws `INVALID_INPUT` when it matches several. */
export function chooseKey<K extends { readonly fingerprint: string; readonly owner: string }>(
  name: string,
  keys: Iterable<K>,
): K | undefined {
  const found = keysNamed(name, new Map([...keys].map(key => [key.fingerprint, key])).values())
  if (found.length <= 1) return found[0]
  const candidates = found.map(key => `${key.fingerprint} of ${quoteText(key.owner)}`).join(', ')
  throw new AppError('INVALID_INPUT', `${quoteText(name)} could be any of these keys: ${candidates}`, {
    hint: 'give the whole fingerprint',
  })
}

/** The error for a name that matches no key. */
export function noSuchKey(name: string): AppError {
  const code = name === '' ? 'INVALID_INPUT' : 'KEY_MISSING'
  return new AppError(code, `no key is called ${quoteText(name)}`, {
    hint: commandOf('list keys', 'keys list'),
  })
}
