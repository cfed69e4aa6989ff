// Finds items of a source that are unchanged since they were locked, by the object names of their files,
// without reading them.
import type { FoundItem, LockedSource, SourceAddress } from '../../sources/index.ts'
import type { Workspace } from '../../workspace/index.ts'
import { foundIn } from './consider-items.ts'
import type { OpenedSource } from './open-source.ts'

interface States {
  readonly before?: OpenedSource | undefined
  readonly tree: OpenedSource
}

/**
 * Returns the name under which an item is locked, if it is the same in both states; undefined if that cannot
 * be determined.
 */
export function sameItems(
  workspace: Workspace,
  { items }: LockedSource,
  address: SourceAddress,
  { before, tree }: States,
): (item: FoundItem) => string | undefined {
  if (before?.objectOf === undefined || tree.objectOf === undefined) return () => undefined
  const old = new Map(foundIn(workspace, address, before).items.map(item => [item.path, item]))
  const locked = new Map(items.filter(({ at }) => at === undefined).map(({ path, name }) => [path, name]))
  return ({ path, files, type }) => {
    const [was, name] = [old.get(path), locked.get(path)]
    if (was === undefined || !name?.startsWith(`${type}:`) || was.files.size !== files.size) return undefined
    const isSame = [...files].every(([own, from]) => {
      const object = tree.objectOf!(from)
      return object !== undefined && was.files.get(own) === from && before.objectOf!(from) === object
    })
    return isSame ? name : undefined
  }
}
