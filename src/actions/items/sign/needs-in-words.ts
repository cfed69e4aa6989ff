// What a tool asks for beyond its sandbox, as a person is told it.
import { type DeclaredNeeds, declaredNeeds } from '../../../plan/index.ts'

export function needsOfTool(tool: Parameters<typeof declaredNeeds>[0]): string[] {
  const {
    network,
    write,
    secrets,
    items = [],
    private_addresses,
    outside,
  }: DeclaredNeeds = declaredNeeds(tool)
  return [
    ...listNeeds('hosts', network),
    ...(private_addresses ? ['addresses of this machine and of private networks'] : []),
    ...listNeeds('places to write', write),
    ...listNeeds('secrets', secrets),
    ...listNeeds('the secrets of', items),
    ...(outside === undefined ? [] : listNeeds('to run outside of a sandbox', [outside])),
  ]
}

export function listNeeds(what: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`${what} ${names.map(name => `\`${name}\``).join(', ')}`]
}
