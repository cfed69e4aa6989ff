// The items of a source with everything that is known about them before anybody accepts them: their bytes,
// their name here, their verdict.
import { sha256Hex } from '../../base/index.ts'
import { extractItem } from '../../extract/index.ts'
import {
  folderOf,
  type ItemType,
  OWN_SPACES,
  precedenceOf,
  readVersion,
  type Space,
} from '../../item/index.ts'
import { type FoundItem, type ItemReview, reviewItem, type SourceTree } from '../../sources/index.ts'
import { hasFittingSignature, outsideBounds } from '../../trust/approvals/index.ts'
import { type RolledBackFrom, SKILL_SIGNATURE, type Verdict, verify, verifySkill } from '../../trust/index.ts'
import type { Workspace } from '../../workspace/index.ts'
import type { NamedItem } from './choose-names.ts'
import { digestFiles, manifestOf, type Target } from './target.ts'

export interface IncomingItem {
  readonly found: FoundItem
  /** The id in this space. */
  readonly id: string
  /** The name in the form of locks and approvals. */
  readonly name: string
  readonly digest: string
  /** Path relative to the type folder here → bytes. */
  readonly files: ReadonlyMap<string, Uint8Array>
  /** The verdict under its id here, including approvals. */
  readonly verdict: Verdict
  /** The verdict under its maker's id, if that differs: a trusted signature also counts under a prefix. */
  readonly ownVerdict: Verdict
  /**
   * The key that signed it before, if that differs from the current one. A person decides about a name that
   * changes hands.
   */
  readonly formerSigner?: string
  /** The newer version that was used here before. A person decides about going back. */
  readonly olderThan?: RolledBackFrom
  /**
   * The space whose item of this id would no longer be found. Not set if this item replaces one in its own
   * space.
   */
  readonly shadows?: Space
  readonly metadata: Awaited<ReturnType<typeof extractItem>>['metadata']
  readonly review: ItemReview
}

export interface IncomingRequest {
  readonly workspace: Workspace
  readonly target: Target
  /** The contents of every file of the items, by path in the source. */
  readonly contents: ReadonlyMap<string, Uint8Array>
}

export async function readIncoming(
  request: IncomingRequest,
  named: readonly NamedItem[],
): Promise<IncomingItem[]> {
  const items: IncomingItem[] = []
  for (const one of named) items.push(await incomingItem(request, one))
  return items
}

async function incomingItem(
  { workspace, target, contents }: IncomingRequest,
  { found, id }: NamedItem,
): Promise<IncomingItem> {
  const { type, extension } = found
  const at = (own: string) => (id === found.id ? own : `${id}${own.slice(found.id.length)}`)
  const files = new Map([...found.files].map(([path, from]) => [at(path), contents.get(from)!]))
  const name = nameOfItem(found, id)
  const judge = (own: string) => judgeAs(own, { workspace, target, found, contents })
  const verdict = judge(id)
  const main = contents.get(found.path)!
  const { metadata } = await extractItem(workspace.extractors.get(type)!, { id, extension, bytes: main })
  const file = { type, id, space: target.space, path: found.path }
  const older = workspace.memory.look(file, verdict, readVersion(metadata.version)).rolled_back_from
  const shadows = shadowedSpace(workspace, { type, id, space: target.space })
  const shown = [...files].map(([path, bytes]) => [shownPath(found, id, path), bytes] as const)
  const ownFiles = new Map(shown.filter(([path]) => path !== SKILL_SIGNATURE))
  return {
    ...{ found, id, name, files, verdict, metadata, ...(older && { olderThan: older }) },
    ...(shadows && { shadows }),
    digest: digestFiles(name, files),
    ownVerdict:
      id === found.id ? verdict : (underPrefix(judge(found.id), { workspace, target, found, id }) ?? verdict),
    review: reviewItem(ownFiles, { type, id, extension, metadata }),
  }
}

function shadowedSpace(
  workspace: Workspace,
  item: { readonly type: ItemType; readonly id: string; readonly space: Space },
): Space | undefined {
  if (workspace.has(item)) return undefined
  const below = OWN_SPACES.filter(space => precedenceOf(space) > precedenceOf(item.space))
  return below.find(space => workspace.has({ ...item, space }))
}

interface Renamed {
  readonly workspace: Workspace
  readonly target: Target
  readonly found: FoundItem
  readonly id: string
}

/**
 * A prefix keeps the name that was signed. Any other name was chosen by a lock, which may be a stranger's.
 * The bounds of the key are checked for the id here.
 */
function underPrefix(own: Verdict, { workspace, target, found, id }: Renamed): Verdict | undefined {
  const { keys, now } = workspace.trust
  const key = own.signer === null ? undefined : keys.get(own.signer)
  const isWithin = key !== undefined && !outsideBounds(key, { type: found.type, id, root: target.base }, now)
  return isWithin && id.endsWith(`/${found.id}`) ? own : undefined
}

/**
 * Leaves out a `SKILL.sig` that does not list the files beside it: no review shows it, and no approval covers
 * it.
 */
export function withoutOddSignature(found: FoundItem, contents: ReadonlyMap<string, Uint8Array>): FoundItem {
  const own = `${found.id}/${SKILL_SIGNATURE}`
  const from = found.type === 'skill' ? found.files.get(own) : undefined
  if (from === undefined) return found
  const bytes = new Map([...found.files].map(([path, origin]) => [path, contents.get(origin)!]))
  const signature = contents.get(from)!
  if (hasFittingSignature({ signature, files: new Map(manifestOf(found.id, bytes)) })) return found
  return { ...found, files: new Map([...found.files].filter(([path]) => path !== own)) }
}

/** Files of a skill are shown by their path in its folder, others by their path below `.ai/`. */
function shownPath({ type }: FoundItem, id: string, path: string): string {
  return type === 'skill' ? path.slice(id.length + 1) : `${folderOf(type)}/${path}`
}

export function nameOfItem({ type, extension }: Pick<FoundItem, 'type' | 'extension'>, id: string): string {
  return type === 'skill' ? `skill:${id}` : `${type}:${id}${extension}`
}

interface Judging {
  readonly workspace: Workspace
  readonly target: Target
  readonly found: FoundItem
  readonly contents: ReadonlyMap<string, Uint8Array>
}

function judgeAs(id: string, { workspace, target, found, contents }: Judging): Verdict {
  const { trust, extractors } = workspace
  const { type, extension } = found
  const own = new Map([...found.files].map(([path, from]) => [path, contents.get(from)!]))
  if (type === 'skill') {
    const signature = own.get(`${found.id}/${SKILL_SIGNATURE}`)
    const files = new Map(manifestOf(found.id, own))
    return verifySkill({ id, root: target.base, files, ...(signature && { signature }) }, trust)
  }
  const format = extractors.get(type)!.signatureFormats.get(extension)!
  const bytes = contents.get(found.path)!
  const detached = own.get(`${found.id}${extension}.sig`)
  return verify(
    { type, id, extension, bytes, format, root: target.base, ...(detached && { detached }) },
    trust,
  )
}

/** The state of a source: what the source reports, or a digest of what was read from it. */
export function sourceState({ resolved }: SourceTree, items: readonly IncomingItem[]): string {
  return resolved ?? `sha256-${digestSet(items.map(({ found, digest }) => ({ name: found.path, digest })))}`
}

/** The digest of a set, which `--accept` takes for all of it. */
export function digestSet(items: readonly Pick<IncomingItem, 'name' | 'digest'>[]): string {
  return sha256Hex(
    items
      .map(({ name, digest }) => `${digest}  ${name}\n`)
      .sort()
      .join(''),
  )
}
