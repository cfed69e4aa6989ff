// A plan as the user of a shared server may run it. What its tool would reach is cut down to what the token permits, where a sandbox
// holds it to that; what cannot be cut down is refused.
import type { Plan } from '../../../plan/index.ts'
import type { Permission } from '../../../user/access/index.ts'
import { type Library, requirePermission, requireSecrets } from '../../../workspace/index.ts'

/** Throws `POLICY_DENIED`. An action that a tool runs is checked where it is run. */
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
  // Without a sandbox, what is not declared is open all the same.
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
