// Whom the user trusts and what the user allows. Read again only when a file that says so may have changed.
import { isDeepStrictEqual } from 'node:util'
import { isSettled, stateAt } from '../files/index.ts'
import { stampWalk, walk } from '../scan/index.ts'
import { isExpired, SYSTEM_MANIFEST, type TrustContext } from '../trust/index.ts'
import {
  approvalFolder,
  listApprovals,
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
  /** Includes the approvals of the project, if one is given. */
  read(projectPath?: string): Promise<TrustState>
}

type Decisions = Pick<TrustContext, 'keys' | 'revoked' | 'approvals'>

interface CachedTrust extends Decisions {
  /** Stamp of the files that it was read from; undefined while one of them was not settled. */
  readonly stamp: string | undefined
  readonly policy: UserPolicy
  /** The keys that had expired when `keys` was made. */
  readonly expired: string
}

interface CachedProject extends Decisions {
  readonly stamp: string | undefined
  /** The user's keys when it was read. */
  readonly under: TrustContext['keys']
}

/** With more projects than this, a server reads their approvals again. */
const MOST_PROJECTS = 100

export function createTrustReader(userSpace: string, now: () => Date): TrustReader {
  let cached: CachedTrust | undefined
  const projects = new Map<string, CachedProject>()
  const readUser = async (time: Date) => {
    const stamp = stampTrust(userSpace)
    if (cached === undefined || stamp === undefined || cached.stamp !== stamp) {
      const policy = await loadPolicy(userSpace)
      const { keys, revoked } = await listTrustedKeys(userSpace)
      const { approvals } = listApprovals(userSpace, { keys, revoked })
      // Verdicts are cached as long as `keys` is the same object, so it is replaced on every change,
      // including the revocation of a key that is not trusted.
      const isSame =
        cached?.policy.legacy === policy.legacy &&
        isDeepStrictEqual(keys, cached.keys) &&
        isDeepStrictEqual(revoked, cached.revoked) &&
        isDeepStrictEqual(approvals, cached.approvals)
      const expired = isSame ? cached!.expired : expiredAmong(keys, time)
      cached = { stamp, policy, keys: isSame ? cached!.keys : keys, revoked, approvals, expired }
    }
    // When a key expires, the keys become a new object, so that no cached verdict outlives it.
    const expired = expiredAmong(cached.keys, time)
    if (expired !== cached.expired) cached = { ...cached, expired, keys: new Map(cached.keys) }
    return cached
  }
  const readProject = (projectPath: string, user: Decisions): Decisions => {
    const stamp = stampFolders([approvalFolder(projectPath)])
    const known = projects.get(projectPath)
    if (known && stamp !== undefined && known.stamp === stamp && known.under === user.keys) return known
    projects.delete(projectPath)
    const { approvals } = listApprovals(projectPath, user)
    if (approvals.size === 0) return user
    const joined = joinApprovals(approvals, user.approvals)
    const isSame = known?.under === user.keys && isDeepStrictEqual(joined, known.approvals)
    const read = { ...user, approvals: joined, keys: isSame ? known.keys : new Map(user.keys) }
    if (projects.size >= MOST_PROJECTS) projects.clear()
    projects.set(projectPath, { ...read, stamp, under: user.keys })
    return read
  }
  return {
    async read(projectPath) {
      const time = now()
      const user = await readUser(time)
      const { keys, revoked, approvals } = projectPath === undefined ? user : readProject(projectPath, user)
      const { policy } = user
      const context = { keys, revoked, approvals, manifest: SYSTEM_MANIFEST, policy, now: time }
      return { policy, context }
    },
  }
}

function joinApprovals(
  first: TrustContext['approvals'],
  second: TrustContext['approvals'],
): TrustContext['approvals'] {
  if (second.size === 0) return first
  const joined = new Map(first)
  for (const [name, approvals] of second) joined.set(name, [...(joined.get(name) ?? []), ...approvals])
  return joined
}

function expiredAmong(keys: TrustContext['keys'], now: Date): string {
  const over = [...keys.values()].filter(({ bounds }) => bounds && isExpired(bounds, now))
  return over.map(key => key.fingerprint).join()
}

function stampTrust(userSpace: string): string | undefined {
  const folders = [trustedKeyFolder(userSpace), revokedKeyFolder(userSpace), approvalFolder(userSpace)]
  return stampFolders(folders, [userConfigPath(userSpace)])
}

/**
 * Taken before the files are read. Every file in the folders counts, since an editor may write in place; the
 * folders count too, since files may be added.
 */
function stampFolders(folders: readonly string[], files: readonly string[] = []): string | undefined {
  const startedAt = Date.now()
  const states = [...folders, ...files].map(stateAt)
  if (states.some(state => state && !isSettled(state, startedAt))) return undefined
  const stamps = folders.map((folder, index) =>
    states[index] ? stampWalk(folder, walk(folder, { depth: 0, underscored: 'take' })) : null,
  )
  return stamps.includes(undefined) ? undefined : JSON.stringify([states, stamps])
}
