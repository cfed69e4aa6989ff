// Chooses the ids under which the items of a source are placed. Pure. If an id is taken by something else,
// the name of the source is put before it. A name once chosen stays: the lock knows it by the path in the
// source.
import type { FoundItem } from '../../sources/index.ts'

export interface NamedItem {
  readonly found: FoundItem
  readonly id: string
}

export interface NameChoice {
  readonly items: readonly NamedItem[]
  /** Other copies of a skill in the source, and items that could not be named. */
  readonly left: readonly { readonly path: string; readonly reason: string }[]
}

export interface NameRules {
  /** The prefix for an id that is taken. */
  readonly prefix: string
  /** The id that the item at this path was given before. */
  known(found: FoundItem): string | undefined
  /** Whether something else in the space has this id. */
  isTaken(found: FoundItem, id: string): boolean
}

export function chooseNames(items: readonly FoundItem[], rules: NameRules): NameChoice {
  const chosen = new Map<string, NamedItem>()
  const left: { path: string; reason: string }[] = []
  // Files of one tree refer to each other, so either all of them move or none.
  const plain = items.filter(({ type }) => type !== 'skill')
  const movesPlain = plain.some(found => rules.known(found) === undefined && rules.isTaken(found, found.id))
  // Items that already have a name keep it, whatever has come since.
  const ordered = [...items].sort(
    (a, b) => Number(rules.known(b) !== undefined) - Number(rules.known(a) !== undefined),
  )
  for (const found of ordered) {
    const own = rules.known(found)
    const candidates =
      own !== undefined
        ? [own]
        : found.type === 'skill'
          ? [
              found.id,
              ...outerNames(found),
              ...[found.id, ...outerNames(found)].map(id => `${rules.prefix}/${id}`),
            ]
          : [movesPlain ? `${rules.prefix}/${found.id}` : found.id]
    const id = candidates.find(
      candidate =>
        !chosen.has(keyOf(found, candidate)) && (own !== undefined || !rules.isTaken(found, candidate)),
    )
    if (id === undefined)
      left.push({ path: found.path, reason: `\`${found.id}\` is taken, and so is every other name for it` })
    else chosen.set(keyOf(found, id), { found, id })
  }
  return { items: [...chosen.values()].sort((a, b) => (a.found.path < b.found.path ? -1 : 1)), left }
}

/**
 * Two skills of the same name in one source are told apart by the folders around them:
 * `plugins/office/skills/pdf` becomes `office/pdf`.
 */
function outerNames({ folder = '', id }: FoundItem): string[] {
  const around = folder
    .split('/')
    .slice(0, -2)
    .filter(segment => /^[A-Za-z0-9_][\w.-]*$/.test(segment) && segment !== 'skills')
  return around
    .reverse()
    .slice(0, 2)
    .map(segment => `${segment}/${id}`)
}

function keyOf({ type, extension }: FoundItem, id: string): string {
  return `${type}:${id}${type === 'skill' ? '' : extension}`.toLowerCase()
}
