// What a person has yet to decide about: everything whose verdict keeps it from being used, worst first.
import type { VerifiedItem } from 'ryekit'

export interface Waiting {
  readonly type: string
  readonly id: string
  readonly space: string
  readonly status: string
  readonly reason: string
}

const ORDER = ['tampered', 'malformed', 'untrusted', 'unsigned']

export function makeQueue(items: readonly VerifiedItem[], projectPath: string): Waiting[] {
  return items
    .filter(({ status }) => status !== 'verified')
    .map(item => ({
      type: item.item_type,
      id: item.item_id,
      space: spaceOf(item.path, projectPath, item.signer),
      status: item.status,
      reason: item.reason ?? '',
    }))
    .sort((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status) || a.id.localeCompare(b.id))
}

/** By where the file lies: below the project, in the package, or with the user. */
export function spaceOf(path: string, projectPath: string, signer: string | null): string {
  if (signer === 'system') return 'system'
  return path.startsWith(`${projectPath}/`) ? 'project' : 'user'
}
