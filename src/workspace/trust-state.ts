// Whom the user trusts and what the user allows, read again only when a file that says so may have changed.
import { isDeepStrictEqual } from 'node:util'
import { sha256Hex } from '../base/index.ts'
import { isSettled, stateAt } from '../files/index.ts'
import { stampWalk, walk } from '../scan/index.ts'
import { SYSTEM_MANIFEST, type TrustContext } from '../trust/index.ts'
import {
  listTrustedKeys,
  loadPolicy,
  trustedKeyFolder,
  type UserPolicy,
  userConfigPath,
} from '../user/index.ts'

export interface TrustState {
  readonly context: TrustContext
  readonly policy: UserPolicy
}

export interface TrustReader {
  read(): Promise<TrustState>
}

interface CachedTrust {
  /** Of the files that it was read from; undefined while one of them was not settled. */
  readonly stamp: string | undefined
  readonly keys: TrustContext['keys']
  readonly policy: UserPolicy
}

export function createTrustReader(userSpace: string, now: () => Date): TrustReader {
  let cached: CachedTrust | undefined
  return {
    async read() {
      const stamp = stampTrust(userSpace)
      if (cached === undefined || stamp === undefined || cached.stamp !== stamp) {
        const policy = await loadPolicy(userSpace)
        const { keys } = await listTrustedKeys(userSpace)
        // Verdicts are kept for as long as the keys are the same object.
        const isSame = cached !== undefined && isDeepStrictEqual(keys, cached.keys)
        cached = { stamp, policy, keys: isSame ? cached!.keys : keys }
      }
      const { keys, policy } = cached
      return { policy, context: { keys, manifest: SYSTEM_MANIFEST, policy, now: now() } }
    },
  }
}

/** Taken before the files are read. Every key file counts, for an editor may write in place; and so does the folder, for another one may be put there. */
function stampTrust(userSpace: string): string | undefined {
  const startedAt = Date.now()
  const folder = trustedKeyFolder(userSpace)
  const states = [userConfigPath(userSpace), folder].map(stateAt)
  if (states.some(state => state && !isSettled(state, startedAt))) return undefined
  const keys = states[1] ? stampWalk(folder, walk(folder, { depth: 0, underscored: 'take' })) : null
  return keys === undefined ? undefined : sha256Hex(JSON.stringify([states, keys]))
}
