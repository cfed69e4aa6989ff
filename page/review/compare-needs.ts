// What a tool may do, before and now: one row for each kind of permission, and one for its parameters.
import type { ItemContent } from 'ryekit'
import { quoteShellWord } from '../../src/base/shell-word.ts'
import { type FormField, readSchema, schemaOf } from '../run/schema.ts'
import { countOf } from '../text/count.ts'

export interface NeedRow {
  readonly name: string
  /** Undefined when nothing is known about what was signed. */
  readonly before: string | undefined
  readonly now: string
  readonly isChanged: boolean
}

type Needs = NonNullable<ItemContent['needs']>

interface Declared {
  readonly needs?: Needs
  readonly metadata?: Readonly<Record<string, unknown>>
}

const KINDS: readonly (readonly [string, (declared: Required<Declared>) => string])[] = [
  ['run by', ({ needs }) => needs.executor ?? 'nothing: it is a primitive'],
  ['network', ({ needs }) => listHosts(needs).join(', ') || 'none'],
  ['writes to', ({ needs }) => ['the project', ...needs.write].join(', ')],
  ['variables', ({ needs }) => listVariables(needs).join(', ') || 'none'],
  ['secrets', ({ needs }) => needs.secrets.join(', ') || 'none'],
  ['beyond that', ({ needs }) => listOthers(needs).join(', ') || 'nothing'],
  ['limits', ({ needs }) => printLimits(needs.limits)],
  ['parameters', ({ metadata }) => printFields(readSchema(schemaOf(metadata))) || 'none'],
]

/** Whether this is a file that tools import, such as `_lib.py`, which has no permissions of its own. */
export function isHelper(id: string): boolean {
  return id.split('/').some(segment => segment.startsWith('_'))
}

export function compareNeeds(before: Declared | undefined, now: Declared): NeedRow[] {
  const complete = ({ needs, metadata }: Declared) => needs && { needs, metadata: metadata ?? {} }
  const [then, current] = [before && complete(before), complete(now)]
  if (!current) return []
  return KINDS.map(([name, print]) => {
    const [old, text] = [then && print(then), print(current)]
    return { name, before: old, now: text, isChanged: old !== undefined && old !== text }
  })
}

/**
 * Variables by name, or with the values that it sets. Quoted as in a shell, so that a value cannot pass for
 * another variable.
 */
export function listVariables({ variables, sets = [] }: Needs): string[] {
  const known = new Set(sets.map(({ name }) => name))
  const own = sets.map(({ name, value }) => `${quoteShellWord(name)}=${quoteShellWord(value)}`)
  return [...variables.filter(name => !known.has(name)), ...own]
}

/** What else it would be given, in words. */
export function listOthers({
  items = [],
  settings = [],
  private_addresses,
  starts,
  outside,
}: Needs): string[] {
  return [
    ...(items.length > 0 ? [`the secrets of ${items.join(', ')}`] : []),
    ...(settings.length > 0 ? [`the settings ${settings.join(', ')}`] : []),
    ...(private_addresses ? ['addresses of this machine and of private networks'] : []),
    ...(starts === undefined ? [] : [`to be started by ${starts}`]),
    ...(outside === undefined ? [] : [`a command that runs outside of a sandbox: ${outside}`]),
  ]
}

/** Hosts that its process may reach, and those of its own request. */
export function listHosts({ network, requests = [], any_host }: Needs): string[] {
  const named = network.map(host => (host === '*' ? 'all of the web' : host))
  return [...new Set([...named, ...requests, ...(any_host ? ['whichever host its caller names'] : [])])]
}

const LIMITS: Readonly<Record<string, (most: number) => string>> = {
  memory_mb: most => `${most} MB of memory`,
  processes: most => countOf(most, 'process', 'processes'),
  file_mb: most => `${most} MB in one file`,
}

/** Each limit in words: `512 MB of memory`. */
export function listLimits(limits: Needs['limits']): string[] {
  return Object.entries(limits).map(([name, most]) => LIMITS[name]?.(most) ?? `${name}: ${most}`)
}

function printLimits(limits: Needs['limits']): string {
  return listLimits(limits).join(', ') || 'those of every tool'
}

function printFields(fields: readonly FormField[]): string {
  return fields
    .map(({ name, kind, isRequired, initial, choices, fields: inner }) => {
      const values = choices ? ` (${choices.map(choice => JSON.stringify(choice)).join(' | ')})` : ''
      const fallback = initial === undefined ? '' : ` = ${JSON.stringify(initial)}`
      const group = inner ? ` {${printFields(inner)}}` : ''
      return `${name}${isRequired ? '*' : ''} ${kind}${values}${group}${fallback}`
    })
    .join(', ')
}
