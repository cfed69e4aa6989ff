// Whose call it is: there is one token for the person who started the server, or a file of tokens for several
// users. Either way a token is recognised by its digest. A user's token comes with a grant that says what it
// permits; the person who started the server has no grant, and the whole library.
import { type AccessToken, digestToken, isSameDigest } from '../../../user/access/index.ts'

export interface Caller {
  /** Undefined for the person who started the server. */
  readonly token: AccessToken | undefined
}

export interface Callers {
  /**
   * Undefined for a token that is unknown or has expired. Throws `AppError` while the tokens cannot be read:
   * then nobody is let in.
   */
  find(token: string): Promise<Caller | undefined>
}

export function oneCaller(token: string): Callers {
  const digest = digestToken(token)
  return {
    find: async given => (isSameDigest(digest, digestToken(given)) ? { token: undefined } : undefined),
  }
}

export function manyCallers(read: () => Promise<readonly AccessToken[]>, now: () => Date): Callers {
  return {
    async find(given) {
      const digest = digestToken(given)
      // Compares all of them, so that timing does not reveal which one matched.
      const [found] = (await read()).filter(({ sha256 }) => isSameDigest(sha256, digest))
      if (found?.until !== undefined && found.until < now().toISOString().slice(0, 10)) return undefined
      return found && { token: found }
    },
  }
}
