// Whom the user trusts and what the user allows, read again only when a file that says so may have changed.
import { isDeepStrictEqual } from 'node:util'
import { sha256Hex } from '../base/index.ts'
import { isSettled, stateAt } from '../files/index.ts'
import { stampWalk, walk } from '../scan/index.ts'
import { isExpired, SYSTEM_MANIFEST, type TrustContext } from '../trust/index.ts'
import {
  listTrustedKeys,
  loadPolicy,
  revokedKeyFolder,
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
  readonly revoked: TrustContext['revoked']
  readonly policy: UserPolicy
  /** The keys whose time was over when `keys` was made. */
  readonly expired: string
}

export function createTrustReader(userSpace: string, now: () => Date): TrustReader {
  let cached: CachedTrust | undefined
  return {
    async read() {
      const stamp = stampTrust(userSpace)
      const time = now()
      if (cached === undefined || stamp === undefined || cached.stamp !== stamp) {
        const policy = await loadPolicy(userSpace)
        const { keys, revoked } = await listTrustedKeys(userSpace)
        // Verdicts are kept for as long as the keys are the same object. A revocation is told with them, also of a key that is not trusted.
        const isSame =
          cached?.policy.legacy === policy.legacy &&
          isDeepStrictEqual(keys, cached.keys) &&
          isDeepStrictEqual(revoked, cached.revoked)
        const expired = isSame ? cached!.expired : expiredAmong(keys, time)
        cached = { stamp, policy, keys: isSame ? cached!.keys : keys, revoked, expired }
      }
      // A key whose time has come makes another object of the same keys, so that no verdict outlives it.
      const expired = expiredAmong(cached.keys, time)
      if (expired !== cached.expired) cached = { ...cached, expired, keys: new Map(cached.keys) }
      const { keys, revoked, policy } = cached
      return { policy, context: { keys, revoked, manifest: SYSTEM_MANIFEST, policy, now: time } }
    },
  }
}

function expiredAmong(keys: TrustContext['keys'], now: Date): string {
  const over = [...keys.values()].filter(({ bounds }) => bounds && isExpired(bounds, now))
  return over.map(key => key.fingerprint).join()
}

/** Taken before the files are read. Every file of the folders counts, for an editor may write in place; and so do the folders, for others may be put there. */
function stampTrust(userSpace: string): string | undefined {
  const startedAt = Date.now()
  const folders = [trustedKeyFolder(userSpace), revokedKeyFolder(userSpace)]
  const states = [userConfigPath(userSpace), ...folders].map(stateAt)
  if (states.some(state => state && !isSettled(state, startedAt))) return undefined
  const stamps = folders.map((folder, index) =>
    states[index + 1] ? stampWalk(folder, walk(folder, { depth: 0, underscored: 'take' })) : null,
  )
  return stamps.includes(undefined) ? undefined : sha256Hex(JSON.stringify([states, stamps]))
}
