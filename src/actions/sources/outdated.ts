// `outdated`: shows which sources have moved on since they were locked. Asks repositories and registries
// without fetching from them, and reads folders and archives. It writes nothing and takes no turn, so nobody
// waits for it.
import { AppError } from '../../base/index.ts'
import type { LockedSource } from '../../sources/index.ts'
import { type ActionContext, defineAction } from '../definition/action.ts'
import type { CallInput, Fields, InputOf } from '../definition/field-spec.ts'
import { projectPath } from '../definition/shared-fields.ts'
import { considerItems } from './consider-items.ts'
import { seconds, targetSpace } from './fields.ts'
import { sourceState } from './incoming.ts'
import { refOfLocked } from './locked-items.ts'
import { lockedAddress } from './named-source.ts'
import { findNewest, openSource } from './open-source.ts'
import { readLock, type Target, targetOf } from './target.ts'

const OUTDATED_FIELDS = {
  to: { ...targetSpace, about: 'the space whose lock it is' },
  timeout: { ...seconds, default: 60 },
  project_path: projectPath,
} as const satisfies Fields

type Input = InputOf<typeof OUTDATED_FIELDS>

export type OutdatedInput = CallInput<typeof OUTDATED_FIELDS>

export interface OutdatedAnswer {
  readonly outdated: number
  readonly sources: readonly SourceState[]
}

export interface SourceState {
  readonly source: string
  readonly ref?: string
  readonly locked: string
  /** Absent if it could not be determined. */
  readonly newest?: string
  readonly state: 'current' | 'outdated' | 'unknown'
  /** Items that stayed at an older state when others were taken, or that the source no longer has. */
  readonly behind?: readonly string[]
  readonly error?: string
}

export const outdated = defineAction({
  name: 'outdated',
  description: 'Which sources of the lock have something newer.',
  effects: { readOnly: true, destructive: false, openWorld: true },
  forPeople: true,
  fields: OUTDATED_FIELDS,
  run: async (context, input): Promise<OutdatedAnswer> => {
    const workspace = await context.library.open(input.project_path)
    const target = targetOf(workspace, input.to)
    const sources: SourceState[] = []
    for (const source of readLock(target).sources)
      sources.push(await stateOfSource(context, input, target, source))
    return { outdated: sources.filter(({ state }) => state === 'outdated').length, sources }
  },
})

async function stateOfSource(
  context: ActionContext,
  input: Input,
  target: Target,
  entry: LockedSource,
): Promise<SourceState> {
  const behind = entry.items.filter(({ at }) => at !== undefined).map(refOfLocked)
  const known = {
    source: entry.source,
    ...(entry.ref !== undefined && { ref: entry.ref }),
    locked: entry.resolved,
    ...(behind.length > 0 && { behind }),
  }
  try {
    const newest = await newestOf(context, input, target, entry)
    return { ...known, newest, state: newest === entry.resolved ? 'current' : 'outdated' }
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    return { ...known, state: 'unknown', error: thrown.message }
  }
}

async function newestOf(
  context: ActionContext,
  input: Input,
  target: Target,
  entry: LockedSource,
): Promise<string> {
  const address = lockedAddress(entry, target.base)
  if (address.kind === 'git' || address.kind === 'npm') return findNewest(context, input, address)
  const workspace = await context.library.open(input.project_path)
  const tree = await openSource(context, input, address)
  const { items } = await considerItems({ workspace, target, address, tree, only: entry.only }, entry)
  return sourceState(tree, items)
}
