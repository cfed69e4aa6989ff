// Updates the lock after something was taken from a source. Pure.
import type { Lock, LockedItem, LockedSource } from './lock-document.ts'

export interface Taken {
  readonly source: string
  readonly ref?: string | undefined
  readonly resolved: string
  readonly integrity?: string | undefined
  readonly only: readonly string[]
  /** Without `at`, as all of them are from this state. */
  readonly items: readonly LockedItem[]
  /** Names of locked items that are unchanged in this state. */
  readonly same?: readonly string[]
}

/** Items that were taken before and not again stay, with the state of the source that they came from. */
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

/** An item belongs to the source that brought it last. */
function withoutNames({ sources }: Lock, names: ReadonlySet<string>): Lock {
  const left = sources.map(source => ({
    ...source,
    items: source.items.filter(({ name }) => !names.has(name)),
  }))
  return { sources: left.filter(({ items }) => items.length > 0) }
}

/** Replaces a source's entry; one without items is removed. */
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
