// A client knows a skill by the last segment of its id, which is the name of its folder. If two skills share
// that segment, one would replace the other, so neither is installed; all others are.
import { join } from 'node:path'
import { AppError } from '../../base/index.ts'
import { nameOf } from '../../item/index.ts'

interface Named {
  readonly entry: { readonly id: string }
}

interface Sharing<Source> {
  readonly folder: string
  /** Asked only for skills that share a name. */
  isUsable(source: Source): boolean
  /** The id of the skill that a folder has a copy of. */
  sourceOf(target: string): string | undefined
}

/**
 * Returns, by id, why each skill that would share a folder is refused. A skill already installed there keeps
 * its folder.
 */
export function refuseSharedNames<Source extends Named>(
  sources: readonly Source[],
  { folder, isUsable, sourceOf }: Sharing<Source>,
): ReadonlyMap<string, AppError> {
  const refused = new Map<string, AppError>()
  for (const sharing of sharingNames(sources)) {
    const ids = sharing.filter(isUsable).map(({ entry }) => entry.id)
    if (ids.length < 2) continue
    for (const id of ids)
      if (sourceOf(join(folder, nameOf(id))) !== id) refused.set(id, sharedFolder(id, ids, folder))
  }
  return refused
}

function sharedFolder(id: string, ids: readonly string[], folder: string): AppError {
  const others = ids.filter(other => other !== id).map(other => `\`skill:${other}\``)
  return new AppError(
    'ITEM_AMBIGUOUS',
    `\`skill:${id}\` would be \`${join(folder, nameOf(id))}\`, as would ${others.join(' and ')}`,
    { hint: `install the one that you want by its id, or give one another last name with \`rye mv\`` },
  )
}

/** Where file names ignore case, as on most Macs, `PDF` and `pdf` are the same folder. */
function sharingNames<Source extends Named>(sources: readonly Source[]): Source[][] {
  const byName = new Map<string, Source[]>()
  for (const source of sources) {
    const name = nameOf(source.entry.id).toLowerCase()
    byName.set(name, [...(byName.get(name) ?? []), source])
  }
  return [...byName.values()].filter(same => same.length > 1)
}
