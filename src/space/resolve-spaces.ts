// Which item wins among those of one type and id. The answer depends on the entries alone, never on the order
// in which they were listed: by space precedence, folder within the space, then extension order of the type.

import type { Extractors } from '../extract/index.ts'
import { precedenceOf, type SignedType, type Space } from '../item/index.ts'

export interface SpaceEntry {
  readonly type: SignedType
  readonly id: string
  readonly space: Space
  /** The file; no two entries share one. */
  readonly path: string
  readonly extension: string
  /** Which folder of its space the entry is in: 0 below `.ai/`, then the other skill folders in order. */
  readonly folder: number
}

/** The entry used for its type and id in one space. */
export interface ResolvedEntry<Entry> {
  readonly entry: Entry
  /** Entries of lower spaces, in order of precedence. */
  readonly shadows: readonly Entry[]
  /** The winner, unless it is this entry. */
  readonly shadowedBy: Entry | null
}

/** Another file for the same type and id in the same space. It is never used. */
export interface Duplicate<Entry> {
  readonly entry: Entry
  readonly kept: Entry
  readonly message: string
}

export interface Resolution<Entry> {
  /** Sorted by type, id and precedence. */
  readonly items: readonly ResolvedEntry<Entry>[]
  readonly duplicates: readonly Duplicate<Entry>[]
}

export function resolveSpaces<Entry extends SpaceEntry>(
  entries: Iterable<Entry>,
  extractors: Extractors,
): Resolution<Entry> {
  const items: ResolvedEntry<Entry>[] = []
  const duplicates: Duplicate<Entry>[] = []
  for (const group of groupByName(entries)) {
    group.sort((a, b) => compareEntries(a, b, extractors))
    const standing: Entry[] = []
    for (const entry of group) {
      const kept = standing.at(-1)
      if (kept?.space === entry.space)
        duplicates.push({ entry, kept, message: duplicateMessage(entry, kept) })
      else standing.push(entry)
    }
    standing.forEach((entry, index) => {
      items.push({ entry, shadows: standing.slice(index + 1), shadowedBy: index === 0 ? null : standing[0]! })
    })
  }
  return { items, duplicates }
}

function groupByName<Entry extends SpaceEntry>(entries: Iterable<Entry>): Entry[][] {
  const groups = new Map<string, Entry[]>()
  for (const entry of entries) {
    const name = `${entry.type}:${entry.id}`
    const group = groups.get(name)
    if (group) group.push(entry)
    else groups.set(name, [entry])
  }
  return [...groups.keys()].sort().map(name => groups.get(name)!)
}

function compareEntries(a: SpaceEntry, b: SpaceEntry, extractors: Extractors): number {
  const order = extractors.get(a.type)?.extensions ?? []
  return (
    precedenceOf(a.space) - precedenceOf(b.space) ||
    a.folder - b.folder ||
    rank(order, a.extension) - rank(order, b.extension) ||
    compareText(a.path, b.path)
  )
}

function rank(order: readonly string[], extension: string): number {
  const index = order.indexOf(extension)
  return index === -1 ? order.length : index
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function duplicateMessage(entry: SpaceEntry, kept: SpaceEntry): string {
  return `two files for \`${entry.type}:${entry.id}@${entry.space}\`: \`${kept.path}\` is used, \`${entry.path}\` is not`
}
