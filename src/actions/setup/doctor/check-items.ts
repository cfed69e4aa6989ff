// Items that cannot be used, and items that are hidden by others, each with the command that fixes it.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { AppError, quoteShellWord } from '../../../base/index.ts'
import { ITEM_TYPES } from '../../../item/index.ts'
import { unusedCopy } from '../../../plan/index.ts'
import type { ItemFile } from '../../../scan/index.ts'
import type { ResolvedEntry } from '../../../space/index.ts'
import type { RolledBackFrom, Verdict } from '../../../trust/index.ts'
import { listOfferedKeys } from '../../../user/index.ts'
import { describeRollback, type OpenedItem, signCommand, type Workspace } from '../../../workspace/index.ts'
import type { ActionContext } from '../../definition/action.ts'
import { collectAll } from '../../items/verify/collect-signed.ts'
import type { Check } from './check.ts'

const MOST_NAMED = 20
/** How many items are verified before others get their turn: a server has others to answer meanwhile. */
const AT_ONCE = 50

export async function checkItems(context: ActionContext, workspace: Workspace): Promise<Check[]> {
  const { items, duplicates } = workspace.list(ITEM_TYPES)
  const signed = collectAll(workspace)
  const offered = (await listOfferedKeys(workspace.projectPath)).keys
  const { core_shadowing } = (await context.library.policy()).execute
  const refused: Check[] = []
  for (const [index, found] of signed.entries()) {
    context.onProgress({ message: 'verifying', done: index, total: signed.length })
    context.signal.throwIfAborted()
    if (index % AT_ONCE === 0) await nextTurn()
    const { verdict, item } = await judge(workspace, found)
    const { entry } = found
    if (verdict.status === 'verified' && !verdict.rolled_back_from) continue
    // Of those that are not named, nobody reads the command.
    const fix = item && refused.length < MOST_NAMED ? fixOf(workspace, item) : undefined
    if (verdict.rolled_back_from) refused.push(checkOlder(workspace, entry, verdict.rolled_back_from, fix))
    if (verdict.status === 'verified') continue
    const isUntrusted = verdict.status === 'untrusted' && verdict.signer !== null
    const isKnown = isUntrusted && isKnownSigner(workspace, verdict.signer!)
    const key = isUntrusted && !isKnown ? offered.get(verdict.signer!) : undefined
    refused.push({
      name: verdict.status,
      status: 'problem',
      message: `${entry.type}:${entry.id}@${entry.space}: ${verdict.reason ?? verdict.status}`,
      ...(isKnown
        ? { fix: 'rye keys list' }
        : key
          ? { fix: `rye keys trust ${quoteShellWord(key.path)}` }
          : fix),
    })
  }
  return [
    { name: 'items', status: 'ok', message: `${items.length} item${items.length === 1 ? '' : 's'}` },
    ...refused.slice(0, MOST_NAMED),
    ...checkMore(refused.length - MOST_NAMED),
    ...items.flatMap(checkShadow),
    ...items.flatMap(found => checkUnused(found, core_shadowing)),
    ...duplicates.map(checkDuplicate),
  ]
}

/** Where older items are refused it cannot be used. */
function checkOlder(
  { memory }: Workspace,
  entry: ItemFile,
  from: RolledBackFrom,
  fix: Pick<Check, 'fix'> | undefined,
): Check {
  return {
    name: 'older',
    status: memory.refuses ? 'problem' : 'note',
    message: `${entry.type}:${entry.id}@${entry.space} ${describeRollback(from)}; to go back on purpose:`,
    ...fix,
  }
}

/** Trusted for something else, or revoked: to trust its key is not what is missing. */
function isKnownSigner({ trust }: Workspace, signer: string): boolean {
  return trust.keys.has(signer) || trust.revoked.has(signer)
}

function checkMore(more: number): Check[] {
  if (more <= 0) return []
  return [{ name: 'more', status: 'problem', message: `${more} more cannot be used`, fix: 'rye verify' }]
}

function checkDuplicate({ message, entry }: { message: string; entry: ItemFile }): Check {
  // A copy of a skill in the folder of another client is meant for that client: `rye skills install` writes it.
  const isForClient = entry.type === 'skill' && !/[\\/]\.ai[\\/]skills[\\/]/.test(entry.path)
  if (isForClient) return { name: 'copy', status: 'note', message }
  return { name: 'duplicate', status: 'problem', message, fix: `rm ${quoteShellWord(entry.path)}` }
}

function fixOf({ library, trust }: Workspace, item: OpenedItem): Pick<Check, 'fix'> {
  if (item.file.space === 'system') return { fix: 'npm install --global ryekit' }
  return { fix: signCommand(item, { userSpace: library.userSpace, keys: trust.keys }).command }
}

function checkShadow({ entry, shadowedBy }: ResolvedEntry<ItemFile>): Check[] {
  if (!shadowedBy) return []
  const ref = `${entry.type}:${entry.id}@${entry.space}`
  return [
    {
      name: 'shadowed',
      status: 'note',
      message: `${ref} is shadowed by the ${shadowedBy.space} space`,
      fix: `rye show ${ref}`,
    },
  ]
}

/** A runtime of the project that nothing runs with, though it shadows the package's. */
function checkUnused({ entry }: ResolvedEntry<ItemFile>, coreShadowing: 'refuse' | 'allow'): Check[] {
  const message = unusedCopy(entry, coreShadowing)
  return message === undefined
    ? []
    : [{ name: 'unused', status: 'note', message, fix: `rm ${quoteShellWord(entry.path)}` }]
}

/** Without an item when it could not be read: then no command fixes it. */
async function judge(
  workspace: Workspace,
  found: ResolvedEntry<ItemFile>,
): Promise<{
  verdict: Pick<Verdict, 'status' | 'signer' | 'reason' | 'rolled_back_from'>
  item?: OpenedItem
}> {
  try {
    const item = workspace.read(found)
    return { item, verdict: await workspace.judge(item) }
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    return { verdict: { status: 'malformed', signer: null, reason: thrown.message } }
  }
}
