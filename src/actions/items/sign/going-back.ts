// Signing makes an item the newest of its id, whatever its version. If something newer was used before, going
// back is a decision of its own: the item must be named, not matched by a pattern, and an agent may not
// decide it if the user's policy refuses older items.
import { AppError } from '../../../base/index.ts'
import { readVersion } from '../../../item/index.ts'
import type { RolledBackFrom, SignedUse, Verdict } from '../../../trust/index.ts'
import { describeRollback, type OpenedItem, signCommand } from '../../../workspace/index.ts'
import { type Signer, timestampOf } from './signer.ts'

/** What was used before, if that was newer. Throws `ITEM_ROLLED_BACK` if the caller may not go back. */
export async function refuseOlder(signer: Signer, item: OpenedItem): Promise<RolledBackFrom | undefined> {
  const from = await olderThan(signer, item)
  if (from === undefined) return undefined
  const { caller, workspace, isNamed } = signer
  const { type, id } = item.file
  if (isNamed && (caller === 'person' || !workspace.memory.refuses)) return from
  const signers = { userSpace: workspace.library.userSpace, keys: workspace.trust.keys }
  const { command } = signCommand(item, signers)
  throw new AppError('ITEM_ROLLED_BACK', `${type}:${id} is not signed: it ${describeRollback(from)}`, {
    hint: `restore the newer one; or a person goes back on purpose with: ${command}`,
  })
}

/** A person who signs an older item decides that it is the newest; one signed by an agent is only used. */
export async function acceptOlder(
  { caller, workspace }: Signer,
  item: OpenedItem,
  signed: Pick<SignedUse, 'timestamp' | 'format' | 'hash'>,
): Promise<void> {
  if (caller !== 'person') return
  const version = readVersion((await item.parse()).metadata.version)
  await workspace.memory.accept(item.file, signed, version)
}

/** The item as it is, and as it would be once signed: its version may be lower, or its time not signed. */
async function olderThan(
  { workspace, key, format }: Signer,
  item: OpenedItem,
): Promise<RolledBackFrom | undefined> {
  const { rolled_back_from } = await workspace.judge(item)
  if (rolled_back_from) return rolled_back_from
  const signed: Verdict = {
    status: 'verified',
    format: item.file.type === 'skill' ? 'v2' : format,
    coverage: 'full',
    hash: '',
    signer: key.fingerprint,
    timestamp: timestampOf(workspace.library.now()),
  }
  const version = readVersion((await item.parse()).metadata.version)
  return workspace.memory.look(item.file, signed, version).rolled_back_from
}
