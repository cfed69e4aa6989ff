// Decides which items of a source are taken. A trusted signature, or an approval of exactly these bytes, is
// enough. A person decides about the rest: at the terminal, or by naming the digest that was reviewed.
import { AppError, escapeHidden, shortenText } from '../../base/index.ts'
import { describeReview, isDanger } from '../../sources/index.ts'
import { describeRollback } from '../../workspace/index.ts'
import type { ActionContext } from '../definition/action.ts'
import { digestSet, type IncomingItem } from './incoming.ts'

export interface Decision {
  /** Verified as they are. */
  readonly trusted: readonly IncomingItem[]
  /** A person has accepted them now. */
  readonly accepted: readonly IncomingItem[]
  /** Nobody has accepted them. */
  readonly open: readonly IncomingItem[]
}

export interface DecisionRequest {
  readonly items: readonly IncomingItem[]
  readonly accept: readonly string[]
  /** Whether digests that match nothing here may belong to another source. */
  readonly isForOthers: boolean
  /** The digest of all items in the set. */
  readonly set: string
  /** Whether accepting the set includes this item. */
  isInSet(item: IncomingItem): boolean
  /** Lines about an item, shown beside its review. */
  describe(item: IncomingItem): readonly string[]
}

const MOST_QUESTIONS = 50

/** Throws `INVALID_INPUT` for a digest that matches nothing: what was reviewed is not what came. */
export async function decide(context: ActionContext, request: DecisionRequest): Promise<Decision> {
  const { items, accept, set, isForOthers } = request
  const isTaken = (item: IncomingItem) =>
    isTrusted(item) && item.olderThan === undefined && item.formerSigner === undefined
  const trusted = items.filter(isTaken)
  const open = items.filter(item => !isTaken(item))
  // The digest includes the name: accepting the same files under another id is a different decision.
  const ofItem = new Map(items.map(item => [item, digestSet([item])]))
  const known = new Set([set, ...ofItem.values()])
  const unknown = accept.find(digest => !known.has(digest))
  if (unknown !== undefined && !isForOthers) {
    throw new AppError(
      'INVALID_INPUT',
      `nothing that came has the digest \`${unknown}\`: the set has ${set}`,
      {
        hint: 'the source has changed since it was reviewed: look at it again with --dry-run',
        details: { digest: set },
      },
    )
  }
  const named = open.filter(
    item => (accept.includes(set) && request.isInSet(item)) || accept.includes(ofItem.get(item)!),
  )
  const left = open.filter(item => !named.includes(item))
  const asked = accept.length > 0 || !context.confirm ? [] : await ask(context, left, request)
  const accepted = [...named, ...asked]
  return { trusted, accepted, open: open.filter(item => !accepted.includes(item)) }
}

/** Trusted through its maker's key, even under another name, or because these bytes were accepted before. */
export function isTrusted({ verdict, ownVerdict }: IncomingItem): boolean {
  return verdict.status === 'verified' || isSigned(ownVerdict)
}

export function isSigned({ status, approved }: IncomingItem['verdict']): boolean {
  return status === 'verified' && approved === undefined
}

/**
 * Asks once for all items without findings, once for all that only install or run something common, and
 * separately for each of the others.
 */
async function ask(
  { confirm, signal }: ActionContext,
  items: readonly IncomingItem[],
  { describe }: DecisionRequest,
): Promise<IncomingItem[]> {
  const plain = items.filter(({ review }) => review.findings.length === 0)
  const others = items.filter(({ review }) => review.findings.some(isDanger))
  const usual = items.filter(item => !plain.includes(item) && !others.includes(item))
  const groups = [
    ...[plain, usual].filter(group => group.length > 0),
    ...others.slice(0, MOST_QUESTIONS).map(item => [item]),
  ]
  const accepted: IncomingItem[] = []
  for (const group of groups) {
    signal.throwIfAborted()
    const lines = group.flatMap(item => [
      `${item.name} from ${item.found.path}`,
      ...indent(descriptionOf(item)),
      ...indent(linesOf(item, describe(item))),
    ])
    const question = group.length === 1 ? 'Accept it?' : `Accept these ${group.length}?`
    const text = [...lines, question].map(line => escapeHidden(line, { oneLine: true })).join('\n')
    if (await confirm?.({ text, subject: digestSet(group) })) accepted.push(...group)
  }
  return accepted
}

function descriptionOf({ metadata: { description } }: IncomingItem): string[] {
  return typeof description === 'string' && description !== '' ? [shortenText(description, 300)] : []
}

/** Everything that is shown about an item. */
export function linesOf(item: IncomingItem, described: readonly string[]): string[] {
  const { olderThan, formerSigner, shadows, review } = item
  const now = signerOf(item)
  const signed = now === undefined ? 'signed by nobody' : `signed by ${now}`
  return [
    ...(formerSigner ? [`! ${signed}, and by ${formerSigner} before: ask its author another way`] : []),
    ...(olderThan ? [`! ${describeRollback(olderThan)}`] : []),
    ...(shadows ? [`! would be used in place of the one in the ${shadows} space`] : []),
    ...described,
    ...describeReview(review),
  ]
}

/** The key that its own signature names, trusted or not. */
export function signerOf({ verdict, ownVerdict }: IncomingItem): string | undefined {
  const own = [verdict, ownVerdict].find(({ approved, signer }) => approved === undefined && signer !== null)
  return own?.signer ?? undefined
}

function indent(lines: readonly string[]): string[] {
  return lines.map(line => `  ${line}`)
}
