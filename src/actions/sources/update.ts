// `update`: shows what sources have that is newer than the lock, and how it differs; each item can be taken
// or left. Going back is refused: an older version or commit, a tag that was moved, a version whose bytes
// have changed.
import { AppError, countOf } from '../../base/index.ts'
import type { LockedSource, SourceAddress } from '../../sources/index.ts'
import { type AcceptedFiles, acceptedFiles } from '../../user/index.ts'
import type { Workspace } from '../../workspace/index.ts'
import { type ActionContext, defineAction } from '../definition/action.ts'
import type { CallInput, Fields, InputOf } from '../definition/field-spec.ts'
import { projectPath } from '../definition/shared-fields.ts'
import { acceptCommand, answerItems, type BroughtItem, describeMerged } from './answer.ts'
import { type Brought, bringItems } from './bring-items.ts'
import { compareStates } from './compare-states.ts'
import { compareItems, describeChange, type ItemChange } from './describe-change.ts'
import { accept, dryRun, seconds, targetSpace } from './fields.ts'
import { digestSet, type IncomingItem, nameOfItem } from './incoming.ts'
import { acceptedContent, findLocked, isVouchedFor } from './locked-items.ts'
import { lockedAddress } from './named-source.ts'
import { openSource } from './open-source.ts'
import { sameItems } from './same-items.ts'
import { presentFiles, readLock, type Target, targetOf } from './target.ts'

const UPDATE_FIELDS = {
  name: {
    type: 'string',
    about: 'a source of the lock, or one item; everything without it',
    flag: { position: 'first', value: 'NAME' },
  },
  to: { ...targetSpace, about: 'the space whose lock it is' },
  dry_run: dryRun,
  accept,
  timeout: seconds,
  project_path: projectPath,
} as const satisfies Fields

type Input = InputOf<typeof UPDATE_FIELDS>

export type UpdateInput = CallInput<typeof UPDATE_FIELDS>

export interface UpdateAnswer {
  /** `review`: some changes wait for somebody to accept them. */
  readonly status: 'updated' | 'unchanged' | 'review' | 'failed'
  readonly sources: readonly UpdatedSource[]
  /** Set when nothing was meant to be taken. */
  readonly dry_run?: true
  readonly message: string
}

export interface UpdatedSource {
  readonly source: string
  readonly locked: string
  readonly resolved?: string
  /** The digest that `--accept` takes for all changes that were not taken. */
  readonly digest?: string
  readonly accept_command?: string
  /** The locked items that have changed. */
  readonly items: readonly UpdatedItem[]
  /** Names of locked items that the source no longer has. */
  readonly gone: readonly string[]
  /** Names of other items in the source; `add` takes them. */
  readonly others: readonly string[]
  readonly warning?: string
  /** Why the source could not be checked. */
  readonly error?: string
}

export interface UpdatedItem extends BroughtItem {
  /** Compared with what was accepted. */
  readonly change?: ItemChange
}

export const update = defineAction({
  name: 'update',
  description: 'Take what sources of the lock have newer, after a look at what changed.',
  effects: { readOnly: false, destructive: true, openWorld: true },
  forPeople: true,
  fields: UPDATE_FIELDS,
  run: async (context, input): Promise<UpdateAnswer> => {
    const workspace = await context.library.open(input.project_path)
    const target = targetOf(workspace, input.to)
    const lock = readLock(target)
    const named = input.name === undefined ? undefined : findLocked(lock, input.name)
    const wanted = named && new Set(named.map(({ item }) => item.name))
    const entries = named ? [...new Set(named.map(({ source }) => source))] : lock.sources
    const sources: UpdatedSource[] = []
    const kept = acceptedFiles(context.library.userSpace)
    const shared = { workspace, target, input, kept, isOneOfSeveral: entries.length > 1 }
    for (const entry of entries)
      sources.push(
        await updateSource(context, { ...shared, entry, wanted: isPart(entry, wanted) ? wanted : undefined }),
      )
    return {
      ...{ status: statusOf(sources), sources },
      ...(input.dry_run && { dry_run: true }),
      message: messageOf(sources, input),
    }
  },
  exitStatus: ({ status, dry_run }) => (status === 'failed' || (status === 'review' && !dry_run) ? 1 : 0),
})

/** Whether only some items of the source were named, not all of it. */
function isPart({ items }: LockedSource, wanted: ReadonlySet<string> | undefined): boolean {
  return wanted !== undefined && !items.every(({ name }) => wanted.has(name))
}

interface Updating {
  readonly workspace: Workspace
  readonly target: Target
  readonly input: Input
  readonly entry: LockedSource
  /** The items to update; undefined means all. */
  readonly wanted: ReadonlySet<string> | undefined
  /** What was accepted on this machine. */
  readonly kept: AcceptedFiles
  /** Whether a digest may belong to another source. */
  readonly isOneOfSeveral: boolean
}

async function updateSource(context: ActionContext, updating: Updating): Promise<UpdatedSource> {
  const { workspace, target, input, entry, wanted } = updating
  const known = { source: entry.source, locked: entry.resolved }
  let address: SourceAddress | undefined
  try {
    address = lockedAddress(entry, target.base)
    const tree = await openSource(context, input, address)
    const { before, warning } = await compareStates(context, { input, entry }, address, tree)
    const sameAs = sameItems(workspace, entry, address, { before, tree })
    const changes = new Map<string, ItemChange>()
    const locked = new Set(entry.items.map(({ name }) => name))
    const paths = new Set(entry.items.map(({ path }) => path))
    const others: string[] = []
    const describe = (item: IncomingItem) => linesOf(updating, item, changes.get(item.name))
    const brought = await bringItems(context, {
      ...{ workspace, target, address, tree, only: entry.only },
      ...{ accept: input.accept, dryRun: input.dry_run },
      skips: item => {
        const same = sameAs(item)
        if (same !== undefined) return { same }
        const name = nameOfItem(item, item.id)
        if (paths.has(item.path) || locked.has(name)) return undefined
        others.push(name)
        return 'other'
      },
      wants: name => {
        if (!locked.has(name)) others.push(name)
        return locked.has(name) && (wanted?.has(name) ?? true)
      },
      isForOthers: updating.isOneOfSeveral,
      prepare: async items => {
        for (const item of items) {
          const change = await changeSinceLocked(updating, item)
          if (change) changes.set(item.name, change)
        }
      },
      isAcceptedSet: item => !isUnchanged(entry, item),
      describe,
    })
    return {
      ...known,
      ...answerOf(brought, updating, { changes, describe }),
      others,
      ...(warning !== undefined && { warning }),
    }
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    // A digest that matches nothing makes the call wrong, whatever the source. An invalid address is a fault
    // of the lock, and is reported for that source.
    const isWrongCall = thrown.code === 'INVALID_INPUT' && address !== undefined
    if (isWrongCall || thrown.code.startsWith('KEY_')) throw thrown
    return { ...known, items: [], gone: [], others: [], error: thrown.message }
  }
}

interface Described {
  readonly changes: ReadonlyMap<string, ItemChange>
  describe(item: IncomingItem): readonly string[]
}

function answerOf(brought: Brought, { entry, wanted, input }: Updating, { changes, describe }: Described) {
  const changed = new Set(brought.items.filter(item => !isUnchanged(entry, item)))
  const items = answerItems(brought, describe)
  // Items taken now will not be part of what the next call shows.
  const isLeft = (item: IncomingItem) =>
    !['taken', 'merged'].includes(items[brought.items.indexOf(item)]!.state)
  const left = [...changed].filter(isLeft)
  const digest = digestSet(left.length > 0 ? left : [...changed])
  const names = new Set([...brought.items.map(({ name }) => name), ...brought.same])
  const paths = new Set(brought.items.map(({ found }) => found.path))
  const gone = entry.items.filter(
    item => (wanted?.has(item.name) ?? true) && !names.has(item.name) && !paths.has(item.path),
  )
  return {
    resolved: brought.resolved,
    digest,
    accept_command: acceptCommand(
      ['update', ...(input.name === undefined ? [] : [input.name])],
      input,
      digest,
    ),
    items: brought.items.flatMap((item, index): UpdatedItem[] => {
      const change = changes.get(item.name)
      return changed.has(item) ? [{ ...items[index]!, ...(change && { change }) }] : []
    }),
    gone: gone.map(({ name }) => name),
  }
}

function isUnchanged({ items }: LockedSource, { name, digest }: IncomingItem): boolean {
  return items.some(item => item.name === name && item.digest === digest)
}

async function changeSinceLocked(
  { workspace, target, entry, kept }: Updating,
  item: IncomingItem,
): Promise<ItemChange | undefined> {
  const locked = entry.items.find(({ name }) => name === item.name)
  if (locked === undefined || locked.digest === item.digest) return undefined
  // Compares with what was accepted, if it is kept, or else with what is here.
  const before = acceptedContent(kept, locked) ?? presentFiles(target, item.name)
  return compareItems(workspace, item.name, { before, after: item.files })
}

function linesOf(
  { workspace, target, entry }: Updating,
  { name }: IncomingItem,
  change?: ItemChange,
): string[] {
  if (change === undefined) return []
  const locked = entry.items.find(item => item.name === name)!
  const isKnown = isVouchedFor(workspace, target, locked)
  const warning = '! nobody whom you trust has accepted what this is compared with: read all of it'
  return [...(isKnown ? [] : [warning]), ...describeChange(change)]
}

function statusOf(sources: readonly UpdatedSource[]): UpdateAnswer['status'] {
  const items = sources.flatMap(source => source.items)
  if (sources.some(({ error }) => error !== undefined)) return 'failed'
  if (items.some(({ state }) => state === 'open')) return 'review'
  return items.some(({ state }) => state === 'taken' || state === 'merged') ? 'updated' : 'unchanged'
}

function messageOf(sources: readonly UpdatedSource[], input: Pick<Input, 'to'>): string {
  const items = sources.flatMap(source => source.items)
  const count = (state: BroughtItem['state']) => items.filter(item => item.state === state).length
  const parts = [
    [count('taken'), 'taken'],
    [count('open'), 'to be reviewed'],
    [count('edited'), 'changed here and left as they are'],
  ] as const
  const counted = parts.filter(([many]) => many > 0).map(([many, what]) => `${many} ${what}`)
  const failed = sources.filter(({ error }) => error !== undefined).length
  const failures = failed > 0 ? [`${countOf(failed, 'source')} failed`] : []
  const said = [...counted, ...failures, ...describeMerged(items, input)]
  return said.length === 0 ? 'nothing has changed' : said.join(', ')
}
