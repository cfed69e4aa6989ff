// A client knows a skill by the last segment of its id, for that is what its folder is called. Of two skills that have it in
// common, one would replace the other: none of them is installed.
import { join } from 'node:path'
import { AppError } from '../../base/index.ts'
import { nameOf } from '../../item/index.ts'

interface Named {
  readonly entry: { readonly id: string }
}

const MOST_NAMED = 5

/** Throws before anything is written if two of these would have one folder. `isInstalled` is asked of those alone. */
export function refuseSharedNames<Source extends Named>(
  sources: readonly Source[],
  folder: string,
  isInstalled: (source: Source) => boolean,
): void {
  const shared = sharingNames(sources)
    .map(same => same.filter(isInstalled).map(({ entry }) => entry.id))
    .filter(same => same.length > 1)
  if (shared.length === 0) return
  const named = shared.slice(0, MOST_NAMED).map(ids => {
    const skills = ids.map(id => `\`skill:${id}\``).join(' and ')
    return `${skills} would ${ids.length === 2 ? 'both' : 'all'} be \`${join(folder, nameOf(ids[0]!))}\``
  })
  const more = shared.length - named.length
  const others = more > 0 ? `; and so on for ${more} more` : ''
  throw new AppError('ITEM_AMBIGUOUS', `${named.join('; ')}${others}`, {
    hint: `nothing was installed: name those that you want, such as \`${shared[0]![0]}\`, or give one of them another last name with \`rye mv\``,
  })
}

/** Where case does not count, as on most Macs, `PDF` and `pdf` are one folder. */
function sharingNames<Source extends Named>(sources: readonly Source[]): Source[][] {
  const byName = new Map<string, Source[]>()
  for (const source of sources) {
    const name = nameOf(source.entry.id).toLowerCase()
    byName.set(name, [...(byName.get(name) ?? []), source])
  }
  return [...byName.values()].filter(same => same.length > 1)
}
