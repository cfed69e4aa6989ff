// Whom the user trusts and what the user allows, read again only when the files that say so have changed.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { SYSTEM_MANIFEST, type TrustContext } from '../trust/index.ts'
import { listTrustedKeys, loadPolicy, type UserPolicy, userConfigPath } from '../user/index.ts'

export interface TrustState {
  readonly context: TrustContext
  readonly policy: UserPolicy
}

export interface TrustReader {
  read(): Promise<TrustState>
}

export function createTrustReader(userSpace: string, now: () => Date): TrustReader {
  const watched = [
    userConfigPath(userSpace),
    join(userSpace, '.ai', 'config', 'keys', 'trusted'),
    join(userSpace, '.ai', 'trusted_keys'),
  ]
  let cached: { stamp: string; keys: TrustContext['keys']; policy: UserPolicy } | undefined
  return {
    async read() {
      const stamp = watched.map(stampOf).join(' ')
      if (cached?.stamp !== stamp) {
        const [policy, listing] = [await loadPolicy(userSpace), await listTrustedKeys(userSpace)]
        cached = { stamp, policy, keys: listing.keys }
      }
      const { keys, policy } = cached
      return { policy, context: { keys, manifest: SYSTEM_MANIFEST, policy, now: now() } }
    },
  }
}

/** Key files are replaced, never edited in place, so a change of one shows in its folder's time. */
function stampOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false, bigint: true })
  return stat ? `${stat.mtimeNs}:${stat.ctimeNs}:${stat.ino}:${stat.size}` : '-'
}
