// Decides which of a catalogue's items with an id are used. Anybody who may write to the catalogue can put
// anything under any id, signed or not, complete or not. So an item that cannot be used must not hide one
// that can, from the package or the catalogue itself.
import { AppError } from '../base/index.ts'
import type { Extractors } from '../extract/index.ts'
import { type ItemRoot, locate } from '../scan/index.ts'
import type { TrustContext } from '../trust/index.ts'
import type { FindRequest } from './find-item.ts'
import { readItem } from './open-item.ts'
import type { Brought } from './shared/shared-space.ts'

export interface UsedRoots {
  readonly roots: readonly ItemRoot[]
  /** Why each of the other items is not used. */
  readonly warnings: readonly string[]
}

export interface UseContext {
  /** Roots of the package, as far as the caller sees them. */
  readonly packaged: readonly ItemRoot[]
  readonly extractors: Extractors
  readonly trust: TrustContext
}

/** Throws a row's fault when nothing else could be used in its place. */
export function useBrought(
  { id, type }: FindRequest,
  { roots, damaged }: Pick<Brought, 'roots' | 'damaged'>,
  context: UseContext,
): UsedRoots {
  const { packaged, extractors } = context
  const isPackaged = locate(packaged, extractors, { id, ...(type && { type }) }).found.length > 0
  // A single item without a competitor is judged when it is used.
  if (!isPackaged && damaged.length === 0 && roots.length < 2) return { roots, warnings: [] }
  const judged = roots.map(root => ({ root, fault: faultOf(root, id, context) }))
  const good = judged.filter(({ fault }) => fault === undefined)
  if (!isPackaged && good.length === 0) {
    if (damaged[0]) throw damaged[0].cause
    return { roots, warnings: [] }
  }
  const refused = [
    ...judged.flatMap(({ root, fault }) => (fault === undefined ? [] : [{ type: root.type, fault }])),
    ...damaged.map(({ type: its, cause }) => ({ type: its, fault: cause.message })),
  ]
  return {
    roots: good.map(({ root }) => root),
    warnings: refused.map(one => `\`${one.type}:${id}\` of the catalogue is not used: ${one.fault}`),
  }
}

function faultOf(root: ItemRoot, id: string, { extractors, trust }: UseContext): string | undefined {
  const [found] = locate([root], extractors, { type: root.type, id }).found
  if (!found) return 'it has no file of its own in the cache'
  try {
    const { status } = readItem(found, extractors, trust).verdict
    return status === 'verified' ? undefined : 'its signature is not good'
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    return thrown.message
  }
}
