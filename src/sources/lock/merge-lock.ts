// The lock after something was taken from a source. Pure.
import type { Lock, LockedItem, LockedSource } from './lock-document.ts'

export interface Taken {
  readonly source: string
  readonly ref?: string | undefined
  readonly resolved: string
  readonly integrity?: string | undefined
  readonly only: readonly string[]
  /** Without `at`: all of them are of this state. */
  readonly items: readonly LockedItem[]
  /** Names of those that are locked, and are the same in this state. */
  readonly same?: readonly string[]
}

/** What was taken before and not again stays, with the state of the source that it is from. */
export function lockTaken(lock: Lock, { ref, integrity, same = [], ...taken }: Taken): Lock {
  const before = lock.sources.find(({ source }) => source === taken.source)
  const paths = new Set(taken.items.map(({ path }) => path))
  const names = new Set(taken.items.map(({ name }) => name))
  const alike = new Set(same)
  const kept = (before?.items ?? [])
    .filter(({ path, name }) => !paths.has(path) && !names.has(name))
    .map(item =>
      withState(item, alike.has(item.name) ? taken.resolved : (item.at ?? before!.resolved), taken.resolved),
    )
  const entry: LockedSource = {
    ...taken,
    ...(ref !== undefined && { ref }),
    ...(integrity !== undefined && { integrity }),
    only: joinPatterns(before, taken.only),
    items: [...taken.items, ...kept],
  }
  return withSource(withoutNames(lock, names), entry)
}

/** An item is of the source that brought it last. */
function withoutNames({ sources }: Lock, names: ReadonlySet<string>): Lock {
  const left = sources.map(source => ({
    ...source,
    items: source.items.filter(({ name }) => !names.has(name)),
  }))
  return { sources: left.filter(({ items }) => items.length > 0) }
}

/** Without items, the entry goes. */
export function withSource(lock: Lock, entry: LockedSource): Lock {
  const others = lock.sources.filter(({ source }) => source !== entry.source)
  return { sources: entry.items.length > 0 ? [...others, entry] : others }
}

function withState({ at, ...item }: LockedItem, state: string, now: string): LockedItem {
  return state === now ? item : { ...item, at: state }
}

/** No pattern means everything. */
function joinPatterns(before: LockedSource | undefined, only: readonly string[]): string[] {
  if (only.length === 0 || before?.only.length === 0) return []
  return [...new Set([...(before?.only ?? []), ...only])].sort()
}
