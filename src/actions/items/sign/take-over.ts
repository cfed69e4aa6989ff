// Signing replaces the signature of an item. Signing what another key signed is to vouch for somebody else's
// work, so it is a decision of its own: by a person who is shown what it is about, or by the user's settings.
import { AppError, commandOf, escapeHidden, hintWith, sha256Hex } from '../../../base/index.ts'
import { printRef } from '../../../item/index.ts'
import type { ItemFile } from '../../../scan/index.ts'
import type { ResolvedEntry } from '../../../space/index.ts'
import { foreignSignature, skillChanges } from '../../../trust/index.ts'
import { type OpenedItem, sourceFlag } from '../../../workspace/index.ts'
import type { ActionContext } from '../../definition/action.ts'
import type { Signer } from './signer.ts'

type Owner = Pick<Signer, 'workspace' | 'key'>
type Found = ResolvedEntry<ItemFile>

/** Nobody reads more than this at once. What is not shown is not signed. */
const MOST_SHOWN = 50
const MOST_CHANGES = 10

/** Throws `POLICY_DENIED` for an item that bears another key's signature. */
export function refuseForeign({ workspace, key }: Owner, item: OpenedItem): void {
  const foreign = foreignSignature(item, key.fingerprint, workspace.trust.keys)
  if (foreign === undefined) return
  const isOwn = item.verdict.signer === key.fingerprint && !workspace.trust.keys.has(key.fingerprint)
  const takeOver = `sign ${refOf(item)}${sourceFlag(item.file.space)} --take-over`
  throw new AppError('POLICY_DENIED', `${refOf(item)} is not signed: ${foreign}`, {
    hint: isOwn
      ? commandOf('trust your key again', `keys trust ${key.fingerprint}`)
      : hintWith('read it; then ', commandOf('take it over', takeOver)),
  })
}

/** The items with another key's signature that may be signed anyway, as they were read. */
export async function askForForeign(
  context: ActionContext,
  owner: Owner,
  items: readonly Found[],
  takeOver: boolean,
): Promise<ReadonlyMap<Found, OpenedItem>> {
  const answer = await decideWithoutAsking(context, takeOver)
  if (answer === 'refuse') return new Map()
  const foreign = new Map<Found, OpenedItem>()
  const lines: string[] = []
  for (const found of items) {
    if (answer === 'ask' && foreign.size === MOST_SHOWN) break
    // An unreadable item fails when its turn to be signed comes.
    const item = owner.workspace.tryRead(found)
    const reason = item && foreignSignature(item, owner.key.fingerprint, owner.workspace.trust.keys)
    if (reason === undefined) continue
    foreign.set(found, item!)
    lines.push(`- ${refOf(item!)}: ${reason}`, ...changesOf(item!).map(change => `    ${change}`))
  }
  if (foreign.size === 0 || answer === 'allow') return foreign
  const text = ['Sign these with your key, although another key signed them?', ...lines].map(line =>
    escapeHidden(line, { oneLine: true }),
  )
  const subject = [...foreign.values()].map(contentOf).join('\n')
  return (await context.confirm?.({ text: text.join('\n'), subject })) ? foreign : new Map()
}

async function decideWithoutAsking(
  { caller, confirm, library }: ActionContext,
  takeOver: boolean,
): Promise<'allow' | 'ask' | 'refuse'> {
  if (caller === 'person' && takeOver) return 'allow'
  const policy = caller === 'person' ? 'ask' : (await library.policy()).mcp.take_over
  return policy === 'ask' && !confirm ? 'refuse' : policy
}

/**
 * Files of a skill that differ. Of a plain file only a hash was signed, and the verdict says if that differs.
 */
function changesOf({ file, parts, detached }: OpenedItem): string[] {
  if (file.type !== 'skill' || !detached) return []
  const changes = skillChanges({ id: file.id, files: digestsOf(parts), signature: detached })
  const more = changes.length - MOST_CHANGES
  return more > 0 ? [...changes.slice(0, MOST_CHANGES), `and ${more} more files`] : changes
}

/** Identifies everything that would be signed, by its digests. */
export function contentOf({ file, digest, parts }: OpenedItem): string {
  return JSON.stringify([file.path, digest, ...digestsOf(parts)])
}

function digestsOf(parts: OpenedItem['parts']): Map<string, string> {
  return new Map([...parts].map(([path, bytes]) => [path, sha256Hex(bytes)]))
}

export function refOf({ file: { type, id } }: OpenedItem): string {
  return printRef({ type, id })
}
