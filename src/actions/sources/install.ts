// `install`: the space as its lock says, or a failure. What is in place is not fetched; what is missing comes from what was accepted on this
// machine, or from its source at the locked state, and only if its bytes are the locked ones.
import { join } from 'node:path'
import { AppError } from '../../base/index.ts'
import { stateAt } from '../../files/index.ts'
import { folderOf } from '../../item/index.ts'
import { type LockedItem, type LockedSource, printLock } from '../../sources/index.ts'
import { approvedVerdict } from '../../trust/approvals/index.ts'
import { fingerprintWords, SKILL_SIGNATURE, type Verdict } from '../../trust/index.ts'
import { listOfferedKeys } from '../../user/index.ts'
import type { Workspace } from '../../workspace/index.ts'
import { type ActionContext, defineAction } from '../definition/action.ts'
import type { CallInput, Fields, InputOf } from '../definition/field-spec.ts'
import { projectPath } from '../definition/shared-fields.ts'
import { changeSpace } from './apply-change.ts'
import { foundIn } from './bring-items.ts'
import { checkedSpace } from './checked-space.ts'
import { seconds, targetSpace } from './fields.ts'
import { withoutOddSignature } from './incoming.ts'
import { acceptedContent, idOfLocked, refOfLocked, shortState, stateOfItem } from './locked-items.ts'
import { lockedAddress } from './named-source.ts'
import { openSource } from './open-source.ts'
import { digestFiles, placeOf, readLock, splitName, type Target, targetOf } from './target.ts'

const INSTALL_FIELDS = {
  frozen: {
    type: 'boolean',
    about: 'fail unless every item is in place and trusted; the default where CI is set',
  },
  to: { ...targetSpace, about: 'the space whose lock it is' },
  timeout: seconds,
  project_path: projectPath,
} as const satisfies Fields

type Input = InputOf<typeof INSTALL_FIELDS>

export type InstallInput = CallInput<typeof INSTALL_FIELDS>

export interface InstallAnswer {
  readonly status: 'installed' | 'unchanged' | 'failed'
  /** `TYPE:ID` of what was put into place. */
  readonly written: readonly string[]
  /** How many were in place already. */
  readonly unchanged: number
  /** Changed here since they were taken: left as they are. */
  readonly edited: readonly string[]
  /** In place, and not usable here: whom one would have to trust. */
  readonly untrusted: readonly UntrustedItem[]
  readonly message: string
}

export interface UntrustedItem {
  readonly item: string
  readonly reason: string
  /** Fingerprint of the key that signed or accepted it. */
  readonly key?: string
  /** As the project offers it. */
  readonly owner?: string
}

export const install = defineAction({
  name: 'install',
  description: 'Make the items of the lock be in place, byte for byte.',
  effects: { readOnly: false, destructive: false, openWorld: true },
  forPeople: true,
  fields: INSTALL_FIELDS,
  run: async (context, input): Promise<InstallAnswer> => {
    const workspace = await context.library.open(input.project_path)
    const target = targetOf(workspace, input.to)
    const { ci, CI = ci } = context.library.environment
    const frozen = input.frozen ?? (CI !== undefined && CI !== '' && CI !== 'false')
    const checked = checkedSpace(context.library, target)
    const done = await changeSpace(context.library, target, async apply => {
      const lock = readLock(target)
      const state = (item: LockedItem) => (checked.isUnchanged ? 'in place' : stateOfItem(target, item))
      const all = lock.sources.flatMap(source =>
        source.items.map(item => ({ source, item, state: state(item) })),
      )
      const missing = all.filter(({ state }) => state === 'missing')
      const files = await missingFiles(context, { workspace, target, input }, missing)
      if (files.size > 0) apply({ files, removed: [], approvals: new Map(), lock: printLock(lock) })
      return { all, missing }
    })
    const { all, missing } = done
    if (!checked.isUnchanged && all.every(({ state }) => state === 'in place')) checked.remember()
    const edited = all.filter(({ state }) => state === 'edited').map(({ item }) => refOfLocked(item))
    const inPlace = all.filter(({ state }) => state !== 'edited').map(({ item }) => item)
    const untrusted = await findUntrusted(context, input, inPlace)
    const fails = edited.length > 0 || (frozen && untrusted.length > 0)
    const written = missing.map(({ item }) => refOfLocked(item))
    return {
      status: fails ? 'failed' : written.length > 0 ? 'installed' : 'unchanged',
      written,
      unchanged: all.length - missing.length - edited.length,
      edited,
      untrusted,
      message: messageOf(edited, untrusted),
    }
  },
  exitStatus: answer => (answer.status === 'failed' ? 1 : 0),
})

interface Place {
  readonly workspace: Workspace
  readonly target: Target
  readonly input: Input
}

interface Missing {
  readonly source: LockedSource
  readonly item: LockedItem
}

/** By path below the folder that holds `.ai/`. Throws `ITEM_TAMPERED` when a source no longer has what was locked. */
async function missingFiles(
  context: ActionContext,
  place: Place,
  missing: readonly Missing[],
): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>()
  const fetched = new Map<string, Missing[]>()
  for (const one of missing) {
    // A signature that is a file of its own is not among what is kept.
    const kept = one.item.accepted === undefined ? undefined : acceptedContent(context.library, one.item)
    if (kept) put(files, one.item, kept)
    else {
      const key = `${one.source.source}\n${one.item.at ?? one.source.resolved}`
      fetched.set(key, [...(fetched.get(key) ?? []), one])
    }
  }
  for (const group of fetched.values()) {
    for (const [item, content] of await fetchLocked(context, place, group)) put(files, item, content)
  }
  return files
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

function put(
  files: Map<string, Uint8Array>,
  { name }: LockedItem,
  content: ReadonlyMap<string, Uint8Array>,
): void {
  const folder = join('.ai', folderOf(splitName(name).type))
  for (const [path, bytes] of content) files.set(join(folder, path), bytes)
}

function gone({ source }: LockedSource, { path, name }: LockedItem): AppError {
  return new AppError('ITEM_TAMPERED', `\`${path}\` of \`${source}\` is not what was locked as \`${name}\``, {
    hint: 'nothing was written; if the source was changed on purpose, review it with `rye update`',
  })
}

/** In a view that knows the new files. */
async function findUntrusted(
  { library }: ActionContext,
  input: Input,
  items: readonly LockedItem[],
): Promise<UntrustedItem[]> {
  const workspace = await library.open(input.project_path)
  const target = targetOf(workspace, input.to)
  const offers = (await listOfferedKeys(workspace.projectPath)).keys
  return items.flatMap(item => {
    const verdict = judgePlaced(workspace, target, item)
    if (verdict.status === 'verified') return []
    const named = [item.accepted, item.signer, verdict.signer ?? undefined].filter(key => key !== undefined)
    const key = named.find(one => !workspace.trust.keys.has(one)) ?? named[0]
    const owner = key === undefined ? undefined : offers.get(key)?.owner
    const isKnown = key !== undefined && workspace.trust.keys.has(key)
    const reason =
      isKnown || key === undefined ? (verdict.reason ?? verdict.status) : `key ${key} is not trusted`
    return {
      item: refOfLocked(item),
      reason,
      ...(key !== undefined && { key }),
      ...(owner !== undefined && { owner }),
    }
  })
}

/**
 * The bytes of a skill were just compared with the lock, so where it has no signature of its own an approval is asked for by their digest.
 * Every other item is read: what the lock says of its signer may be what a stranger wrote there.
 */
function judgePlaced(workspace: Workspace, target: Target, item: LockedItem): Verdict {
  const { type } = splitName(item.name)
  const id = idOfLocked(item)
  const named = { type, id, root: target.base, name: item.name, digest: () => item.digest }
  const isBare = type === 'skill' && !stateAt(join(placeOf(target, item.name), SKILL_SIGNATURE))
  const approved = isBare ? approvedVerdict(named, workspace.trust) : undefined
  return approved ?? workspace.read(workspace.find({ type, id, space: target.space })).verdict
}

function messageOf(edited: readonly string[], untrusted: readonly UntrustedItem[]): string {
  if (edited.length > 0)
    return `changed here since it was taken: ${edited.join(', ')}; compare with \`rye review ${edited[0]}\``
  if (untrusted.length === 0) return 'every item is as it was locked, and trusted'
  const keys = [...new Map(untrusted.map(one => [one.key ?? '', one.owner])).entries()].filter(
    ([key]) => key !== '',
  )
  if (keys.length === 0) return 'some items are not trusted here: review and sign them'
  const people = keys.map(
    ([key, owner]) => `${key} (${fingerprintWords(key)})${owner === undefined ? '' : ` of ${owner}`}`,
  )
  return `not usable before you trust ${people.join(', ')}: compare the words with its owner, then \`rye keys trust ${keys[0]![0]}\``
}
