// Restricts a plan to what the user of a shared server may run. Permissions of the tool that the token lacks
// are removed if a sandbox enforces that; otherwise the plan is refused.
import type { Plan } from '../../../plan/index.ts'
import type { Permission } from '../../../user/access/index.ts'
import { type Library, requirePermission, requireSecrets } from '../../../workspace/index.ts'

/** Throws `POLICY_DENIED`. An action that a tool runs is checked when it is run. */
export async function permitPlan(library: Library, plan: Plan): Promise<Plan> {
  const { grant } = library
  if (grant === undefined) return plan
  const { permissions, invocation, secrets } = plan
  if (invocation.kind === 'http' || invocation.kind === 'mcp') requirePermission(library, 'network')
  if (secrets.length > 0) requireSecrets(library)
  const cut = (['network', 'write'] as const).filter(
    name => permissions[name].length > 0 && !grant.permissions.includes(name),
  )
  if (cut.length === 0) return plan
  // Without a sandbox, a tool can also use what it does not declare.
  const mayBeOpen = library.separation
    ? library.separation.withoutSandbox
    : (await library.policy()).execute.isolation === 'process-group'
  if (mayBeOpen) requirePermission(library, cut[0]!)
  return {
    ...plan,
    permissions: { ...permissions, ...Object.fromEntries(cut.map(name => [name, []])) },
    notes: [...plan.notes, ...cut.map(name => noteOf(grant.user, name))],
  }
}

function noteOf(user: string, permission: Permission): string {
  return `the tool ran without \`${permission}\`, which the token of \`${user}\` does not permit`
}
