// Copies one item of a bundle into a space: all of its files or none, with its line in the lock. Existing
// files that differ are replaced only if the caller says so.
import { join } from 'node:path'
import { AppError } from '../../../base/index.ts'
import type { BundleItem, Files } from '../../../registry/index.ts'
import type { Verdict } from '../../../trust/index.ts'
import type { RegistryCall } from '../../registry/call-registry.ts'
import { refuseOtherSigners, rememberSigners } from '../../registry/known-signers.ts'
import type { OpenedBundle } from '../../registry/open-bundle.ts'
import { projectFiles } from '../../registry/project-files.ts'
import { changeSpace } from '../../sources/apply-change.ts'
import { changeOfBundle } from '../../sources/taken-bundle.ts'
import { targetOf } from '../../sources/target.ts'
import type { ItemInput } from './read-page.ts'

interface Wanted extends Pick<ItemInput, 'overwrite' | 'version'> {
  readonly item: BundleItem
  readonly verdict: Verdict
  readonly destination: 'project' | 'user'
}

export async function copyFromRegistry(
  { registry, workspace }: RegistryCall,
  bundle: OpenedBundle,
  wanted: Wanted,
): Promise<{ copied_to: 'project' | 'user'; destination_path: string }> {
  const { item, verdict, destination, version: asked = 'latest' } = wanted
  const target = targetOf(workspace, destination)
  const place = projectFiles({ projectPath: target.base, extractors: workspace.extractors })
  await changeSpace(workspace.library, target, async apply => {
    // Only now that it is our turn: an earlier change may have brought this item, or written where it goes.
    refuseOtherSigners(workspace, [{ item, signer: verdict.signer }], undefined)
    refuseConflicts(place, bundle.files, wanted)
    apply(changeOfBundle(target, { ...bundle, asked, only: [item.ref], items: [item] }, workspace.trust))
    const origin = { package: bundle.package, registry: registry.registry.url.href }
    await rememberSigners(workspace, [item], origin)
  })
  return { copied_to: destination, destination_path: join(target.base, '.ai', item.path) }
}

function refuseConflicts(
  place: ReturnType<typeof projectFiles>,
  files: Files,
  { item, destination, overwrite }: Wanted,
): void {
  const [around] = item.type === 'skill' ? place.skillRivals(item.path) : []
  if (around !== undefined)
    throw new AppError(
      'ITEM_EXISTS',
      `\`${item.ref}\` was not copied: \`.ai/${around}\` is a skill around it, inside of it or in its place, and one would become a part of the other`,
      { hint: 'rename or remove that one first' },
    )
  const own = new Map(item.paths.map(path => [path, files.get(path)!]))
  const folder = item.path.slice(0, item.path.lastIndexOf('/'))
  const extra = item.type === 'skill' ? place.list(folder).filter(path => !own.has(path)) : []
  const rivals = [...place.rivals(item.path, own), ...extra]
  const differing = [...own].filter(([path, bytes]) => {
    const there = place.read(path)
    return there !== undefined && Buffer.compare(there, bytes) !== 0
  })
  const inTheWay = [...rivals, ...(overwrite ? [] : differing.map(([path]) => path))]
  if (inTheWay.length === 0) return
  throw new AppError(
    'ITEM_EXISTS',
    `\`${item.ref}\` already exists in the ${destination} space: \`.ai/${inTheWay[0]}\``,
    { hint: rivals.length > 0 ? 'remove that file first' : '`overwrite: true` replaces it' },
  )
}
