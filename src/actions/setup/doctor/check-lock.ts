// Checks the locks of the project and of the user: whether they can be read, whether the spaces match them,
// and whether a change was interrupted.
import { AppError, countOf, printHint } from '../../../base/index.ts'
import { stateAt } from '../../../files/index.ts'
import type { Workspace } from '../../../workspace/index.ts'
import { findUnfinished } from '../../sources/apply-change.ts'
import { type ItemState, refOfLocked, stateOfItem } from '../../sources/locked-items.ts'
import { lockPath, readLock, type Target, targetOf } from '../../sources/target.ts'
import type { Check } from './check.ts'

const MOST_NAMED = 5

export function checkLocks(workspace: Workspace): Check[] {
  const [project, user] = [targetOf(workspace, 'project'), targetOf(workspace, 'user')]
  // The project may itself be the user space.
  const targets = project.base === user.base ? [user] : [project, user]
  return targets.flatMap(target => [...checkNote(workspace, target), ...checkLock(target)])
}

/** Finds a change that was interrupted. */
function checkNote({ library }: Workspace, target: Target): Check[] {
  const found = findUnfinished(library, target)
  return found ? [{ name: 'unfinished', status: 'problem', ...found }] : []
}

/**
 * Who accepted each item that is still as it was locked, by `TYPE:ID@SPACE`. Leaves out locks that cannot be
 * read, which have a check of their own.
 */
export function lockedAcceptors(workspace: Workspace): ReadonlyMap<string, string> {
  const spaces = ['project', 'user'] as const
  return new Map(spaces.flatMap(space => acceptorsIn(targetOf(workspace, space))))
}

function acceptorsIn(target: Target): [ref: string, key: string][] {
  try {
    const items = readLock(target).sources.flatMap(source => source.items)
    return items.flatMap(item => {
      const isMeant = item.accepted !== undefined && stateOfItem(target, item) === 'in place'
      return isMeant ? [[`${refOfLocked(item)}@${target.space}`, item.accepted!]] : []
    })
  } catch (thrown) {
    if (thrown instanceof AppError) return []
    throw thrown
  }
}

function checkLock(target: Target): Check[] {
  if (!stateAt(lockPath(target))) return []
  try {
    return compareWithLock(target)
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    const hint = thrown.hint === undefined ? '' : `; ${printHint(thrown.hint, 'person')}`
    return [{ name: 'lock', status: 'problem', message: `${lockPath(target)}: ${thrown.message}${hint}` }]
  }
}

function compareWithLock(target: Target): Check[] {
  const { sources } = readLock(target)
  const items = sources.flatMap(source => source.items)
  const states = new Map(items.map(item => [refOfLocked(item), stateOfItem(target, item)]))
  const within = (wanted: ItemState) =>
    [...states].filter(([, state]) => state === wanted).map(([ref]) => ref)
  const [missing, edited] = [within('missing'), within('edited')]
  const flag = target.space === 'user' ? ' --to user' : ''
  const of = `${countOf(items.length, 'item')} of ${countOf(sources.length, 'source')}`
  if (missing.length + edited.length === 0) return [{ name: 'lock', status: 'ok', message: `${of} in place` }]
  return [
    ...(missing.length === 0
      ? []
      : [
          {
            name: 'lock',
            status: 'problem' as const,
            message: `${missing.length} of ${of} missing: ${few(missing)}`,
            fix: `rye install${flag}`,
          },
        ]),
    ...(edited.length === 0
      ? []
      : [
          {
            name: 'lock',
            status: 'note' as const,
            message: `${edited.length} of ${of} changed since: ${few(edited)}; to compare:`,
            fix: `rye review ${edited[0]}@${target.space}`,
          },
        ]),
  ]
}

function few(refs: readonly string[]): string {
  const more = refs.length - MOST_NAMED
  return refs.slice(0, MOST_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
