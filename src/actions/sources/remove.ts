// `remove`: deletes items that came from a source, with their lines in the lock and their approvals. An item
// that was changed here is the user's own by now, and stays.
import { join } from 'node:path'
import { folderOf } from '../../item/index.ts'
import { type Lock, withSource } from '../../sources/index.ts'
import { defineAction } from '../definition/action.ts'
import type { CallInput, Fields } from '../definition/field-spec.ts'
import { projectPath } from '../definition/shared-fields.ts'
import { changeSpace } from './apply-change.ts'
import { targetSpace } from './fields.ts'
import { findLocked, type OwnedItem, refOfLocked, stateOfItem } from './locked-items.ts'
import { withoutApprovals } from './own-approvals.ts'
import { presentFiles, readLock, splitName, type Target, targetOf } from './target.ts'

const REMOVE_FIELDS = {
  name: {
    type: 'string',
    about: 'a source of the lock, or one item that came from one',
    required: true,
    flag: { position: 'first', value: 'NAME' },
  },
  to: { ...targetSpace, about: 'the space whose lock it is' },
  project_path: projectPath,
} as const satisfies Fields

export type RemoveInput = CallInput<typeof REMOVE_FIELDS>

export interface RemoveAnswer {
  readonly status: 'removed'
  /** Each as `TYPE:ID`. */
  readonly removed: readonly string[]
  /** Changed here, so left in place; they no longer belong to a source. */
  readonly kept: readonly string[]
  readonly message: string
}

export const remove = defineAction({
  name: 'remove',
  description: 'Remove items that came from a source, and the source with its last one.',
  effects: { readOnly: false, destructive: true, openWorld: false },
  forPeople: true,
  fields: REMOVE_FIELDS,
  run: async (context, input): Promise<RemoveAnswer> => {
    const target = targetOf(await context.library.open(input.project_path), input.to)
    return changeSpace(context.library, target, async apply => {
      const lock = readLock(target)
      const owned = findLocked(lock, input.name)
      const gone = owned.filter(({ item }) => stateOfItem(target, item) !== 'edited')
      const kept = owned.filter(one => !gone.includes(one))
      const names = new Set(owned.map(({ item }) => item.name))
      apply({
        files: new Map(),
        removed: gone.flatMap(({ item: { name } }) => pathsOf(target, name)),
        approvals: await withoutApprovals(context.library, target, name => names.has(name)),
        lock: withoutItems(lock, owned),
      })
      const removed = gone.map(({ item }) => refOfLocked(item))
      return {
        status: 'removed' as const,
        removed,
        kept: kept.map(({ item }) => refOfLocked(item)),
        message: `${removed.length} removed${kept.length > 0 ? `, ${kept.length} changed here and left where they are` : ''}`,
      }
    })
  },
})

function pathsOf(target: Target, name: string): string[] {
  const folder = join('.ai', folderOf(splitName(name).type))
  return [...presentFiles(target, name).keys()].map(path => join(folder, path))
}

function withoutItems(lock: Lock, owned: readonly OwnedItem[]): Lock {
  const names = new Set(owned.map(({ item }) => item.name))
  return lock.sources.reduce(
    (left, source) =>
      withSource(left, { ...source, items: source.items.filter(({ name }) => !names.has(name)) }),
    lock,
  )
}
