// The ids of skills in one or several directories. An id is that of the item; where another skill has it too, the one that `execute` runs
// keeps it, and the others say which they are: by their space where that is enough for `execute`, else by their directory. It depends
// on skills of the same id alone, neither on the order of the directories nor on their number.
import type { Space } from '../../item/index.ts'

/** A directory of skills. */
export interface SkillSource {
  /** Without links. */
  readonly root: string
  /** Of a directory that is a skill itself: its name as it was given. */
  readonly name: string
  /** Names it among all directories. */
  readonly label: string
  /** What ids begin with, of a directory below a folder of skills: `team`. */
  readonly prefix: string
  /** Where it is one that `execute` knows. */
  readonly space?: SkillSpace | undefined
}

export interface SkillSpace {
  readonly name: Space
  /** The lower wins. */
  readonly rank: number
}

export interface SkillName {
  readonly itemId: string
  /** What is behind the `@`, where there is one. */
  readonly source?: string
  /** The ids of other skills that begin with this one and a dot. */
  readonly dotted: readonly string[]
}

export interface SkillNames {
  /** Undefined for a folder that is in a directory around this one as well. */
  skillNameAt(source: number, path: string): SkillName | undefined
  /** Differs when a name does. */
  readonly stamp: string
}

/** `elsewhere` tells in which other folders `execute` finds a skill of an id that is not the one at a path. */
export function nameSkills(
  sources: readonly SkillSource[],
  paths: readonly (readonly string[])[],
  elsewhere: (id: string, path: string) => readonly SkillSpace[],
): SkillNames {
  const isOne = sources.length === 1
  const pathsOf = isOne ? [] : paths.map(some => new Set(some))
  const isRepeated = (source: number, path: string) => {
    const { root } = sources[source]!
    return sources.some((other, index) => {
      if (index === source || !root.startsWith(`${other.root}/`)) return false
      return pathsOf[index]!.has(below(root.slice(other.root.length + 1), path))
    })
  }
  const idsOf = sources.map(
    (source, index) => new Map(paths[index]!.map(path => [itemIdOf(source, path), path])),
  )
  const dotted = dottedIds(idsOf)

  const othersOf = (source: number, id: string, path: string) => {
    const named = sources.filter((_, index) => {
      const at = index === source ? undefined : idsOf[index]!.get(id)
      return at !== undefined && !isRepeated(index, at) && !isRepeated(source, path)
    })
    return [...named.map(({ space }) => space), ...elsewhere(id, below(sources[source]!.root, path))]
  }
  const skillNameAt = (source: number, path: string): SkillName | undefined => {
    if (!isOne && isRepeated(source, path)) return undefined
    const itemId = itemIdOf(sources[source]!, path)
    const suffix = suffixOf(sources[source]!, othersOf(source, itemId, path), itemId.includes('@'))
    return { itemId, dotted: dotted.get(itemId) ?? [], ...(suffix !== undefined && { source: suffix }) }
  }
  const suffixes = paths.flatMap((some, source) =>
    some.flatMap(path => {
      const name = skillNameAt(source, path)
      return name && name.source === undefined ? [] : [[sources[source]!.label, path, name?.source ?? null]]
    }),
  )
  return { skillNameAt, stamp: JSON.stringify([sources, suffixes, [...dotted]]) }
}

/** A name that looks as if it had a suffix needs one. */
function suffixOf(
  { label, space }: SkillSource,
  others: readonly (SkillSpace | undefined)[],
  isUnclear: boolean,
): string | undefined {
  if (isUnclear) return label
  if (others.length === 0) return undefined
  if (!space) return label
  const before = others.filter(other => other !== undefined && other.rank < space.rank)
  if (before.length === 0) return undefined
  return before.some(other => other!.name === space.name) ? label : space.name
}

function itemIdOf({ name, prefix }: SkillSource, path: string): string {
  if (path !== '.') return prefix ? `${prefix}/${path}` : path
  return prefix || name
}

/** By each id, those that go on after it with a dot. */
function dottedIds(idsOf: readonly ReadonlyMap<string, string>[]): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const id of new Set(idsOf.flatMap(ids => [...ids.keys()].filter(one => one.includes('.'))))) {
    for (let dot = id.lastIndexOf('.'); dot > id.lastIndexOf('/') + 1; dot = id.lastIndexOf('.', dot - 1)) {
      const start = id.slice(0, dot)
      if (idsOf.some(ids => ids.has(start))) found.set(start, [...(found.get(start) ?? []), id].sort())
    }
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function below(folder: string, path: string): string {
  return path === '.' ? folder : `${folder}/${path}`
}
