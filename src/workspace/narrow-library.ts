// The library as one of several users of a server may use it: fewer projects, spaces and permissions, and
// never more than the policy of whoever runs the server allows. Warm state is shared; what a user may see and
// do is decided here.
import { isAbsolute, join } from 'node:path'
import { AppError, quoteText } from '../base/index.ts'
import { SPACES, type Space } from '../item/index.ts'
import { realPath } from '../scan/index.ts'
import type { Grant, Permission } from '../user/access/index.ts'
import type { UserPolicy } from '../user/index.ts'
import { isInside } from './places.ts'
import type { Library, Workspace } from './types.ts'

export function narrowLibrary(library: Library, grant: Grant): Library {
  const spaces = SPACES.filter(space => space === 'system' || grant.spaces.includes(space))
  const narrow: Library = {
    ...library,
    grant,
    async open(path) {
      // Checked before the disk is touched: not everybody may know whether such a folder exists.
      if (!isAbsolute(path) || !isGranted(join(path), grant.projects)) throw notGranted(grant, path)
      const workspace = await library.open(path)
      // Checked again, as a link may lead elsewhere.
      if (
        !isGranted(
          workspace.projectPath,
          grant.projects.map(folder => realPath(folder)),
        )
      )
        throw notGranted(grant, path)
      return viewOf(workspace)
    },
    openShared: async () => viewOf(await library.openShared()),
    policy: async () => narrowPolicy(await library.policy(), grant),
  }
  const viewOf = ({ narrowed, policy }: Pick<Workspace, 'narrowed' | 'policy'>) =>
    narrowed({ library: narrow, policy: narrowPolicy(policy, grant), spaces })
  return narrow
}

function narrowPolicy(policy: UserPolicy, { permissions }: Grant): UserPolicy {
  const { mcp, search } = policy
  return {
    ...policy,
    mcp: permissions.includes('sign') ? mcp : { ...mcp, sign: 'deny' },
    search: permissions.includes('network') ? search : { ...search, registry: 'off' },
  }
}

/** Throws `POLICY_DENIED` when the library belongs to a user without this permission. */
export function requirePermission({ grant }: Pick<Library, 'grant'>, permission: Permission): void {
  if (grant === undefined || grant.permissions.includes(permission)) return
  throw new AppError('POLICY_DENIED', `the token of \`${grant.user}\` does not permit \`${permission}\``, {
    hint: 'whoever runs the server decides what each token permits',
  })
}

/**
 * Throws `POLICY_DENIED` when the library belongs to a user who may not use secrets, or who may sign: a tool
 * that such a user signs could name any variable of whoever runs the server, and show it.
 */
export function requireSecrets(library: Pick<Library, 'grant'>): void {
  requirePermission(library, 'secrets')
  const { grant } = library
  if (grant === undefined || !grant.permissions.includes('sign')) return
  throw new AppError(
    'POLICY_DENIED',
    `the token of \`${grant.user}\` permits \`sign\`, and no secrets beside it: a tool that its user signs could name any variable of the server`,
    { hint: 'give the user two tokens: one that may `sign`, and one that may use `secrets`' },
  )
}

/** Throws `POLICY_DENIED` when the library belongs to a user who does not see this space. */
export function requireSpace({ grant }: Pick<Library, 'grant'>, space: Space): void {
  if (grant === undefined || space === 'system' || grant.spaces.includes(space)) return
  throw new AppError('POLICY_DENIED', `the token of \`${grant.user}\` does not permit the ${space} space`, {
    hint: 'whoever runs the server decides which spaces each token permits',
  })
}

function isGranted(path: string, projects: readonly string[]): boolean {
  return projects.some(folder => isInside(path, folder))
}

function notGranted({ user }: Grant, path: string): AppError {
  return new AppError(
    'POLICY_DENIED',
    `the token of \`${user}\` does not permit the project ${quoteText(path, 200)}`,
    { hint: 'whoever runs the server decides which projects each token permits' },
  )
}
