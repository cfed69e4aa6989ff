// Hints and warnings beside the results: why there are none, or why there may be more.
import { escapeHidden } from '../../../base/index.ts'
import type { SearchAnswer as Found } from '../../../search/index.ts'
import type { UserPolicy } from '../../../user/index.ts'
import type { QueryVector } from '../../../workspace/index.ts'
import type { SearchResult } from './answer.ts'

/** Why meaning did not count, or not for every item. */
export function meaningWarning(
  found: Found,
  { isProvided, missing = 0, problem }: QueryVector,
  caller: 'person' | 'agent',
): string | undefined {
  const why = problem === undefined ? '' : `: ${problem}`
  if (!found.byMeaning && (problem !== undefined || (isProvided && missing === 0)))
    return `answered by words alone${why || ': no item has an embedding yet'}`
  if (missing === 0) return undefined
  const without = `${missing} ${missing === 1 ? 'item has' : 'items have'} no embedding yet${why}`
  return caller === 'person' ? `${without}; \`rye index\` creates the missing ones` : without
}

export function cappedWarning({ capped }: Found): string | undefined {
  if (capped.length === 0) return undefined
  return `${capped.map(pattern => `\`${pattern}\``).join(', ')} match more words than are searched for; use longer patterns`
}

/** Warns of results that are never used: runtimes and primitives that only the package may provide. */
export async function unusedWarnings(
  results: readonly SearchResult[],
  policy: UserPolicy,
): Promise<string[]> {
  const copies = results.flatMap(({ type, id, source }) =>
    id.startsWith('rye/core/') && source !== 'system' && source !== 'registry' ? { type, id, source } : [],
  )
  if (copies.length === 0) return []
  // Imported only here: this is rare.
  const { unusedCopy } = await import('../../../plan/index.ts')
  const { core_shadowing } = policy.execute
  return copies.flatMap(
    ({ type, id, source }) => unusedCopy({ type, id, space: source }, core_shadowing) ?? [],
  )
}

/** Suggests similar words, and says how many items the same words find without the other conditions. */
export function emptyHint(
  unknown: Found['unknown'],
  elsewhere?: { readonly total: number; readonly without: string },
): string {
  const near = unknown.flatMap(({ word, nearest }) =>
    nearest.length > 0
      ? [`no item has \`${word}\`; near: ${nearest.map(term => `\`${term}\``).join(', ')}`]
      : [],
  )
  const other = elsewhere?.total
    ? `${elsewhere.total} found without ${elsewhere.without}`
    : 'nothing in this library; it may be in a registry'
  return escapeHidden([...near, other].join('; '), { oneLine: true })
}

/** Whether nothing fits the question: at most one hit was kept, and it lacks some of the words. */
export function isNearlyAllWeak({ total, weaker, rows }: Found): boolean {
  return weaker > 0 && total - weaker <= 1 && rows.every(row => row.partial)
}

export function weakHint(caller: 'person' | 'agent'): string {
  return `nothing fits: try other words or ${caller === 'agent' ? '`match: "any"`' : '`--match any`'}`
}

export function hiddenWarning(hidden: number): string | undefined {
  if (hidden === 0) return undefined
  return `${hidden} without a good signature left out, by \`search.unverified\` in the user's settings`
}

/**
 * For when nothing that was found could be loaded. A caller that gave `trusted` may ask again without it;
 * what the settings hide stays hidden.
 */
export function unusableHint(hidden: number, wasAsked: boolean): string {
  const way = wasAsked ? 'look at them without `trusted`, or sign them' : 'sign what should be found'
  return `${hidden} found that could not be loaded: ${way}`
}
