// Describes what a tool asks for beyond its sandbox, for people.
import { shortenText } from '../../../base/index.ts'
import { type DeclaredNeeds, declaredNeeds } from '../../../plan/index.ts'

export function needsOfTool(tool: Parameters<typeof declaredNeeds>[0]): string[] {
  const {
    network,
    write,
    secrets,
    items = [],
    sets = [],
    any_host,
    private_addresses,
    outside,
  }: DeclaredNeeds = declaredNeeds(tool)
  const needs = [
    ...listNeeds('hosts', network),
    ...(private_addresses ? ['addresses of this machine and of private networks'] : []),
    ...listNeeds('places to write', write),
    ...listNeeds('secrets', secrets),
    ...listNeeds('the secrets of', items),
    ...(outside === undefined ? [] : listNeeds('to run outside of a sandbox', [outside])),
  ]
  // In a sandbox these grant nothing by themselves; they decide what is done with the rest.
  const chosen = sets.filter(({ chooses_code }) => chooses_code)
  const more = [
    ...(any_host ? ['requests to whichever host its caller names'] : []),
    ...listNeeds(
      'to choose what programs load or run',
      chosen.map(({ name, value }) => shortenText(`${name}=${value}`, 200)),
    ),
  ]
  return needs.length === 0 ? [] : [...needs, ...more]
}

export function listNeeds(what: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`${what} ${names.map(name => `\`${name}\``).join(', ')}`]
}
