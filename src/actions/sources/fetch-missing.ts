// The files of locked items that are not in place: as they were accepted on this machine, or from their source at the locked state, and only if
// their bytes are the locked ones. Loaded when something is missing.
import { AppError } from '../../base/index.ts'
import type { LockedItem, LockedSource } from '../../sources/index.ts'
import type { Workspace } from '../../workspace/index.ts'
import type { ActionContext } from '../definition/action.ts'
import { foundIn } from './consider-items.ts'
import { withoutOddSignature } from './incoming.ts'
import { acceptedContent, idOfLocked, shortState } from './locked-items.ts'
import { lockedAddress } from './named-source.ts'
import { openSource, type SourceCall } from './open-source.ts'
import { digestFiles, splitName, type Target } from './target.ts'

export interface Place {
  readonly workspace: Workspace
  readonly target: Target
  readonly input: SourceCall
}

export interface Missing {
  readonly source: LockedSource
  readonly item: LockedItem
}

/** The files of each by their path below the type folder. Throws `ITEM_TAMPERED` when a source no longer has what was locked. */
export async function missingFiles(
  context: ActionContext,
  place: Place,
  missing: readonly Missing[],
): Promise<Map<LockedItem, ReadonlyMap<string, Uint8Array>>> {
  const found = new Map<LockedItem, ReadonlyMap<string, Uint8Array>>()
  const fetched = new Map<string, Missing[]>()
  for (const one of missing) {
    // A signature that is a file of its own is not among what is kept.
    const kept = one.item.accepted === undefined ? undefined : acceptedContent(context.library, one.item)
    if (kept) found.set(one.item, kept)
    else {
      const key = `${one.source.source}\n${one.item.at ?? one.source.resolved}`
      fetched.set(key, [...(fetched.get(key) ?? []), one])
    }
  }
  for (const group of fetched.values())
    for (const [item, files] of await fetchLocked(context, place, group)) found.set(item, files)
  return found
}

async function fetchLocked(
  context: ActionContext,
  { workspace, target, input }: Place,
  group: readonly Missing[],
) {
  const { source } = group[0]!
  const at = group[0]!.item.at ?? source.resolved
  const address = lockedAddress(source, target.base)
  const tree = await openSource(context, input, address, at)
  if (at === source.resolved && source.integrity !== undefined && tree.integrity !== source.integrity)
    throw new AppError(
      'ITEM_TAMPERED',
      `\`${source.source}\` at ${shortState(at)} has other bytes than were locked`,
    )
  const found = new Map(foundIn(workspace, address, tree).items.map(item => [item.path, item]))
  const contents: [LockedItem, Map<string, Uint8Array>][] = []
  for (const { item } of group) {
    const offered = found.get(item.path)
    if (offered === undefined || offered.type !== splitName(item.name).type) throw gone(source, item)
    const bytes = await tree.read([...offered.files.values()])
    const origin = withoutOddSignature(offered, bytes)
    const rename = (path: string) => `${idOfLocked(item)}${path.slice(origin.id.length)}`
    const files = new Map([...origin.files].map(([path, from]) => [rename(path), bytes.get(from)!]))
    if (digestFiles(item.name, files) !== item.digest) throw gone(source, item)
    contents.push([item, files])
  }
  return contents
}

function gone({ source }: LockedSource, { path, name }: LockedItem): AppError {
  return new AppError('ITEM_TAMPERED', `\`${path}\` of \`${source}\` is not what was locked as \`${name}\``, {
    hint: 'nothing was written; if the source was changed on purpose, review it with `rye update`',
  })
}
