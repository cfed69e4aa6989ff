// Checks that a source has only moved forward since it was locked. Going back is refused: an older version or
// commit, a tag that was moved, a version whose bytes have changed.
import { AppError, quoteText } from '../../base/index.ts'
import { compareVersions, parseFullVersion } from '../../item/index.ts'
import type { LockedSource, SourceAddress } from '../../sources/index.ts'
import type { ActionContext } from '../definition/action.ts'
import { shortState } from './locked-items.ts'
import { type OpenedSource, openSource, type SourceCall } from './open-source.ts'

interface Comparing {
  readonly input: SourceCall
  readonly entry: LockedSource
}

interface States {
  /** The locked state, if the source still has it. */
  readonly before?: OpenedSource | undefined
  readonly warning?: string
}

/** Throws `ITEM_ROLLED_BACK`. Returns a warning if it cannot be determined. */
export async function compareStates(
  context: ActionContext,
  { input, entry }: Comparing,
  address: SourceAddress,
  tree: OpenedSource,
): Promise<States> {
  const { resolved, time, isFixed } = tree
  const [before, now] = [shortState(entry.resolved), shortState(resolved ?? '')]
  if (address.kind === 'npm') {
    const [old, next] = [parseFullVersion(entry.resolved), parseFullVersion(resolved ?? '')]
    if (old && next && compareVersions(next, old) < 0) throw older(`version ${now} is older than ${before}`)
    if (resolved === entry.resolved && entry.integrity !== undefined && entry.integrity !== tree.integrity)
      throw older(`version ${now} has other bytes than when it was locked`)
    return {}
  }
  if (address.kind !== 'git') return {}
  if (resolved === entry.resolved) return { before: tree }
  if (isFixed) throw older(`the tag ${quoteText(address.ref)} was moved from ${before} to ${now}`)
  const locked = await findState(context, input, address, entry.resolved)
  if (locked?.time === undefined)
    return { warning: `${before} is no longer in the repository: its history was rewritten` }
  if (time !== undefined && time < locked.time) throw older(`commit ${now} is older than ${before}`)
  return { before: locked }
}

async function findState(
  context: ActionContext,
  input: SourceCall,
  address: SourceAddress,
  commit: string,
): Promise<OpenedSource | undefined> {
  try {
    return await openSource(context, input, address, commit)
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'REMOTE_FAILED') return undefined
    throw thrown
  }
}

function older(problem: string): AppError {
  return new AppError('ITEM_ROLLED_BACK', `${problem}: nothing was taken`, {
    hint: 'if that is meant, name it: `rye add SOURCE --ref STATE`, or remove the source and add it again',
  })
}
