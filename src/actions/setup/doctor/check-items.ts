// Items that cannot be used, and items that are hidden by others, each with the command that fixes it.
import { AppError, quoteShellWord } from '../../../base/index.ts'
import { ITEM_TYPES } from '../../../item/index.ts'
import { unusedCopy } from '../../../plan/index.ts'
import type { ItemFile } from '../../../scan/index.ts'
import type { ResolvedEntry } from '../../../space/index.ts'
import type { Verdict } from '../../../trust/index.ts'
import { listOfferedKeys } from '../../../user/index.ts'
import type { Workspace } from '../../../workspace/index.ts'
import type { ActionContext } from '../../definition/action.ts'
import { collectAll } from '../../items/verify/collect-signed.ts'
import type { Check } from './check.ts'

const MOST_NAMED = 20

export async function checkItems(context: ActionContext, workspace: Workspace): Promise<Check[]> {
  const { items, duplicates } = workspace.list(ITEM_TYPES)
  const signed = collectAll(workspace)
  const offered = (await listOfferedKeys(workspace.projectPath)).keys
  const { core_shadowing } = (await context.library.policy()).execute
  const refused: Check[] = []
  for (const [index, found] of signed.entries()) {
    context.onProgress({ message: 'verifying', done: index, total: signed.length })
    const verdict = readVerdict(workspace, found)
    if (verdict.status === 'verified') continue
    const { entry } = found
    const key = verdict.status === 'untrusted' && verdict.signer ? offered.get(verdict.signer) : undefined
    refused.push({
      name: verdict.status,
      status: 'problem',
      message: `${entry.type}:${entry.id}@${entry.space}: ${verdict.reason ?? verdict.status}`,
      fix: key ? `rye keys trust ${quoteShellWord(key.path)}` : fixOf(entry, verdict.status),
    })
  }
  return [
    { name: 'items', status: 'ok', message: `${items.length} items` },
    ...refused.slice(0, MOST_NAMED),
    ...checkMore(refused.length - MOST_NAMED),
    ...items.flatMap(checkShadow),
    ...items.flatMap(found => checkUnused(found, core_shadowing)),
    ...duplicates.map(checkDuplicate),
  ]
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

function fixOf({ type, id, space }: ItemFile, status: string): string {
  if (space === 'system') return 'npm install --global ryekit'
  const takeOver = status === 'untrusted' || status === 'malformed' ? ' --take-over' : ''
  return `rye sign ${type}:${id}${space === 'user' ? ' --source user' : ''}${takeOver}`
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

function readVerdict(
  workspace: Workspace,
  found: ResolvedEntry<ItemFile>,
): Pick<Verdict, 'status' | 'signer' | 'reason'> {
  try {
    return workspace.read(found).verdict
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    return { status: 'malformed', signer: null, reason: thrown.message }
  }
}
