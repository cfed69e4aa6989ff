// Chooses the names of skills in one or more directories. A name is the id of the item. If several skills
// share an id, the one that `execute` runs keeps it, and the others get a suffix: their space if that is
// enough for `execute`, otherwise their directory. Names depend only on skills with the same id, not on the
// order or number of directories.
import type { Space } from '../../item/index.ts'

/** A directory of skills. */
export interface SkillSource {
  /** The path without links. */
  readonly root: string
  /** For a directory that is itself a skill: its name as given. */
  readonly name: string
  /** Identifies it among all directories. */
  readonly label: string
  /** The start of ids for a directory below a folder of skills, such as `team`. */
  readonly prefix: string
  /** Set for a folder that `execute` searches. */
  readonly space?: SkillSpace | undefined
}

export interface SkillSpace {
  readonly name: Space
  /** The lower rank wins. */
  readonly rank: number
}

export interface SkillName {
  readonly itemId: string
  /** The suffix after `@`, if there is one. */
  readonly source?: string
  /** Ids of other skills that start with this id and a dot. */
  readonly dotted: readonly string[]
}

export interface SkillNames {
  /** Undefined for a folder that is also found through a directory around this one. */
  skillNameAt(source: number, path: string): SkillName | undefined
  /** Differs when any name differs. */
  readonly stamp: string
}

/**
 * `elsewhere` returns the other folders in which `execute` finds a skill with this id, other than the one at
 * `path`.
 */
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

/** An id with `@` looks as if it had a suffix, so it always gets one. */
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

/** For each id, the longer ids that continue it with a dot. */
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
