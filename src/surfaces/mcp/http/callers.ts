// Whose call it is: one token for the person who started the server, or a file of tokens for several users. Either way a token is
// known by its digest, and what it permits is a grant; the one who started the server has none, and the whole library.
import { type AccessToken, digestToken, isSameDigest } from '../../../user/access/index.ts'

export interface Caller {
  /** Undefined: the person who started the server. */
  readonly token: AccessToken | undefined
}

export interface Callers {
  /** Undefined for a token that does not count. Throws `AppError` for as long as the tokens cannot be read: then nobody is let in. */
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
      // All are compared, so that the time says nothing about which.
      const [found] = (await read()).filter(({ sha256 }) => isSameDigest(sha256, digest))
      if (found?.until !== undefined && found.until < now().toISOString().slice(0, 10)) return undefined
      return found && { token: found }
    },
  }
}
