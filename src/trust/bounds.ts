// Bounds of the trust in a key: for which items, in which projects, until when. A bound only ever takes trust
// away; bounds that cannot be read take away all of it. Time is the reader's clock, never the time that a
// signature claims.
import { isAbsolute } from 'node:path'
import { isRecord, quoteShellWord, quoteText, shortenText } from '../base/index.ts'
import { ITEM_TYPES, matchesFromStart, type SignedType } from '../item/index.ts'
import { isTimestamp } from './signature-line.ts'
import type { TrustBounds } from './types.ts'

/** What bounds are checked against. */
export interface BoundedItem {
  readonly type: SignedType
  readonly id: string
  /** The folder that holds its `.ai/`, with links resolved. Undefined when unknown. */
  readonly root?: string | undefined
}

const NAMES = new Set(['for', 'project', 'until'])
const TYPES: readonly string[] = [...ITEM_TYPES, 'config']
const GLOB = /^[\w.*?-]+(?:\/[\w.*?-]+)*$/
const MAX_PATTERN = 255
const MAX_PATH = 4096
const MAX_ENTRIES = 32
const DAY_MS = 86_400_000

/** Reads bounds from a document or a person; returns a message when they are wrong. */
export function readBounds(value: unknown): TrustBounds | string {
  if (!isRecord(value)) return 'expected the bounds to be a table'
  const unknown = Object.keys(value).find(name => !NAMES.has(name))
  if (unknown !== undefined) return `unexpected bound ${quoteText(unknown)}`
  const { for: patterns, project, until } = value
  if (patterns === undefined && project === undefined && until === undefined)
    return 'expected `for`, `project` or `until` among the bounds'
  const problem =
    (patterns === undefined ? undefined : listProblem('for', patterns, patternProblem)) ??
    (project === undefined ? undefined : listProblem('project', project, pathProblem)) ??
    (until === undefined ? undefined : untilProblem(until))
  if (problem !== undefined) return problem
  // The casts are safe: each was checked above.
  return {
    ...(patterns !== undefined && { for: patterns as string[] }),
    ...(project !== undefined && { project: project as string[] }),
    ...(until !== undefined && { until: until as string }),
  }
}

export function isExpired({ until }: TrustBounds, now: Date): boolean {
  return until !== undefined && now.getTime() >= endOf(until)
}

/**
 * Why the key's signature does not count for this item, and the command to change that. Undefined if it does.
 */
export function outsideBounds(
  key: { readonly fingerprint: string; readonly bounds?: TrustBounds },
  item: BoundedItem,
  now: Date,
): string | undefined {
  const { fingerprint, bounds } = key
  if (bounds === undefined) return undefined
  const widened = (wider: TrustBounds) =>
    `; to widen it: ${trustCommand(fingerprint, { ...bounds, ...wider })}`
  if (isExpired(bounds, now))
    return `key ${fingerprint} was trusted until ${bounds.until}${widened({ until: 'DATE' })}`
  const { project, for: patterns } = bounds
  if (project && (item.root === undefined || !project.includes(item.root))) {
    const wider = { project: [...project, item.root ?? 'PATH'] }
    return `key ${fingerprint} is trusted for items in ${list(project)} only${widened(wider)}`
  }
  if (patterns && !patterns.some(pattern => covers(pattern, item))) {
    const wider = { for: [...patterns, `${item.type}:${item.id}`] }
    return `key ${fingerprint} is trusted for ${list(patterns)} only${widened(wider)}`
  }
  return undefined
}

/** The command that gives these bounds. */
export function trustCommand(fingerprint: string, bounds: TrustBounds): string {
  const flags = [
    ...(bounds.for ?? []).flatMap(pattern => ['--for', quoteShellWord(pattern)]),
    ...(bounds.project ?? []).flatMap(path => ['--project', quoteShellWord(path)]),
    ...(bounds.until === undefined ? [] : ['--until', bounds.until]),
  ]
  return ['rye keys trust', fingerprint, ...flags].join(' ')
}

/** In words: `tool:team/*, in /srv/site, until 2027-01-31`. */
export function describeBounds({ for: patterns, project, until }: TrustBounds): string {
  return [
    ...(patterns ? [`for ${list(patterns)}`] : []),
    ...(project ? [`in ${list(project)}`] : []),
    ...(until === undefined ? [] : [`until ${until}`]),
  ].join(', ')
}

/** `*` alone matches every id; any other pattern starts at the beginning of the id. */
function covers(pattern: string, { type, id }: BoundedItem): boolean {
  const colon = pattern.indexOf(':')
  if (colon !== -1 && pattern.slice(0, colon) !== type) return false
  const glob = pattern.slice(colon + 1)
  return glob === '*' || matchesFromStart(glob, id)
}

function endOf(until: string): number {
  return isDay(until) ? Date.parse(`${until}T00:00:00Z`) + DAY_MS : Date.parse(until)
}

function isDay(text: string): boolean {
  return text.length === 10 && isTimestamp(`${text}T00:00:00Z`)
}

function listProblem(
  name: string,
  value: unknown,
  problemOf: (entry: unknown) => string | undefined,
): string | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_ENTRIES)
    return `expected \`${name}\` to be a list of 1 to ${MAX_ENTRIES} strings`
  return value.map(problemOf).find(problem => problem !== undefined)
}

function patternProblem(value: unknown): string | undefined {
  const expected = 'expected `for` to be `TYPE:GLOB`, such as `tool:team/*`'
  if (typeof value !== 'string') return expected
  const colon = value.indexOf(':')
  const isTyped = colon === -1 || TYPES.includes(value.slice(0, colon))
  if (isTyped && value.length <= MAX_PATTERN && GLOB.test(value.slice(colon + 1))) return undefined
  return `${expected}, got ${quoteText(value)}`
}

function pathProblem(value: unknown): string | undefined {
  if (typeof value === 'string' && isAbsolute(value) && value.length <= MAX_PATH && !value.includes('\0'))
    return undefined
  return `expected \`project\` to be absolute paths, got ${quoteText(value)}`
}

function untilProblem(value: unknown): string | undefined {
  if (typeof value === 'string' && (isDay(value) || isTimestamp(value))) return undefined
  return `expected \`until\` to be a date such as \`2027-01-31\` or \`2027-01-31T12:00:00Z\`, got ${quoteText(value)}`
}

function list(texts: readonly string[]): string {
  return shortenText(texts.join(', '), 200)
}
