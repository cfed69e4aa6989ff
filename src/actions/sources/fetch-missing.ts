// Finds the files of locked items that are not in place: from what was accepted on this machine, or from
// their source at the locked state, and only if their bytes match the lock. Imported only when something is
// missing.
import { AppError } from '../../base/index.ts'
import type { FoundItem, LockedItem, LockedSource } from '../../sources/index.ts'
import type { AcceptedFiles } from '../../user/index.ts'
import type { Workspace } from '../../workspace/index.ts'
import type { ActionContext } from '../definition/action.ts'
import { foundIn } from './consider-items.ts'
import { withoutOddSignature } from './incoming.ts'
import { acceptedContent, idOfLocked, shortState } from './locked-items.ts'
import { lockedAddress } from './named-source.ts'
import { type OpenedSource, openSource, type SourceCall } from './open-source.ts'
import { digestFiles, splitName, type Target } from './target.ts'

export interface Place {
  readonly workspace: Workspace
  readonly target: Target
  readonly input: SourceCall
  /** What was accepted on this machine. */
  readonly kept: AcceptedFiles
}

export interface Missing {
  readonly source: LockedSource
  readonly item: LockedItem
}

const PORTION_BYTES = 32_000_000

/**
 * Returns the files of each item, by path relative to the type folder. Throws `ITEM_TAMPERED` when a source
 * no longer has what was locked.
 */
export async function missingFiles(
  context: ActionContext,
  place: Place,
  missing: readonly Missing[],
): Promise<Map<LockedItem, ReadonlyMap<string, Uint8Array>>> {
  const found = new Map<LockedItem, ReadonlyMap<string, Uint8Array>>()
  for (const { item } of missing) {
    // A detached signature is not among the kept files.
    const files = item.accepted === undefined ? undefined : acceptedContent(place.kept, item)
    if (files) found.set(item, files)
  }
  for (const group of byState(missing.filter(({ item }) => !found.has(item))))
    for (const [item, files] of await fetchLocked(context, place, group)) found.set(item, files)
  return found
}

function byState(missing: readonly Missing[]): Iterable<readonly Missing[]> {
  const groups = new Map<string, Missing[]>()
  for (const one of missing) {
    const key = `${one.source.source}\n${one.item.at ?? one.source.resolved}`
    const group = groups.get(key)
    if (group) group.push(one)
    else groups.set(key, [one])
  }
  return groups.values()
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
  const offers = group.map(({ item }) => {
    const offered = found.get(item.path)
    if (offered === undefined || offered.type !== splitName(item.name).type) throw gone(source, item)
    return { item, offered }
  })
  const contents: [LockedItem, Map<string, Uint8Array>][] = []
  for (const portion of inPortions(offers, tree)) {
    const bytes = await tree.read([...new Set(portion.flatMap(({ offered }) => [...offered.files.values()]))])
    for (const { item, offered } of portion) {
      const origin = withoutOddSignature(offered, bytes)
      const rename = (path: string) => `${idOfLocked(item)}${path.slice(origin.id.length)}`
      const files = new Map([...origin.files].map(([path, from]) => [rename(path), bytes.get(from)!]))
      if (digestFiles(item.name, files) !== item.digest) throw gone(source, item)
      contents.push([item, files])
    }
  }
  return contents
}

interface Offer {
  readonly item: LockedItem
  readonly offered: FoundItem
}

/** One request per item would start a program for each, and one request for all could be of any size. */
function* inPortions(offers: readonly Offer[], { files }: OpenedSource): Generator<Offer[]> {
  const sizes = new Map(files.map(({ path, size }) => [path, size]))
  let portion: Offer[] = []
  let total = 0
  for (const offer of offers) {
    portion.push(offer)
    for (const path of offer.offered.files.values()) total += sizes.get(path) ?? 0
    if (total < PORTION_BYTES) continue
    yield portion
    portion = []
    total = 0
  }
  if (portion.length > 0) yield portion
}

function gone({ source }: LockedSource, { path, name }: LockedItem): AppError {
  return new AppError('ITEM_TAMPERED', `\`${path}\` of \`${source}\` is not what was locked as \`${name}\``, {
    hint: 'nothing was written; if the source was changed on purpose, review it with `rye update`',
  })
}
