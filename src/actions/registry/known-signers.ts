// Once an item has come from one key, another key stops the call. A name that changes hands may be an attack
// on the registry, or the same people with a new key. Only a person can tell, so both keys are shown.
import { AppError } from '../../base/index.ts'
import type { BundleItem } from '../../registry/index.ts'
import { type KnownItem, knownItems } from '../../user/index.ts'
import type { Workspace } from '../../workspace/index.ts'
import type { ActionContext } from '../definition/action.ts'

export interface Arrival {
  readonly item: BundleItem
  /** The key that its signature names; null without one. */
  readonly signer: string | null
  /** The signer of the item that the project already has under this id. */
  readonly present?: string | null | undefined
}

export interface Origin {
  readonly package: string
  readonly registry: string
}

/**
 * Throws `POLICY_DENIED` unless each item comes from the same key as before, or from one that a person
 * accepts.
 */
export function refuseOtherSigners(
  { library }: Workspace,
  arrivals: readonly Arrival[],
  accepted: string | undefined,
): void {
  const known = knownItems(library.states, library.userSpace).read()
  const signers = arrivals.flatMap(({ item, signer, present }) => {
    const before = known.get(item.ref)?.signer ?? present
    if (before == null || signer === null || before === signer || signer === accepted) return []
    return { item: item.ref, known: before, found: signer }
  })
  const first = signers[0]
  if (first === undefined) return
  const others = signers.length > 1 ? `, and ${signers.length - 1} more likewise` : ''
  throw new AppError(
    'POLICY_DENIED',
    `\`${first.item}\` came from key ${first.known} before, and is signed with key ${first.found} now${others}`,
    {
      hint: {
        agent: 'only the user decides whether that is the same author: show them both keys',
        person: `ask its author another way; if the new key is right: --accept-signer ${first.found}`,
      },
      details: { signers },
    },
  )
}

/** An agent that could accept a key could bring in any item under a known name. */
export function refuseAcceptance({ caller }: ActionContext, accepted: string | undefined): void {
  if (accepted === undefined || caller === 'person') return
  throw new AppError('POLICY_DENIED', '`accept_signer` is for people: an agent may not accept another key')
}

/** Remembers only signers whose signatures are valid: anyone can name a key that is not theirs. */
export async function rememberSigners(
  { library, trust, projectPath }: Workspace,
  items: readonly BundleItem[],
  origin: Origin,
): Promise<void> {
  const found = items.flatMap((item): [string, KnownItem][] => {
    const { signer, status } = item.judge(trust, projectPath)
    const isIntact = status === 'verified' || status === 'untrusted'
    return signer !== null && isIntact ? [[item.ref, { signer, ...origin }]] : []
  })
  if (found.length > 0) await knownItems(library.states, library.userSpace).remember(new Map(found))
}
