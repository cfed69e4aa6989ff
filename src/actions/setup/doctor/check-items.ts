// Finds items that cannot be used and items that are hidden by others, each with the command that fixes it.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { AppError, countOf, quoteShellWord } from '../../../base/index.ts'
import { ITEM_TYPES } from '../../../item/index.ts'
import { unusedCopy } from '../../../plan/index.ts'
import type { ItemFile } from '../../../scan/index.ts'
import type { ResolvedEntry } from '../../../space/index.ts'
import type { Verdict } from '../../../trust/index.ts'
import { type KeyListing, listOfferedKeys } from '../../../user/index.ts'
import {
  conflictOf,
  describeRollback,
  type OpenedItem,
  ownFingerprint,
  resolveCommand,
  signCommand,
  type Workspace,
} from '../../../workspace/index.ts'
import type { ActionContext } from '../../definition/action.ts'
import { collectAll } from '../../items/verify/collect-signed.ts'
import type { Check } from './check.ts'
import { lockedAcceptors } from './check-lock.ts'
import { type Finding, groupFindings, type Neighbor } from './group-findings.ts'

/** How many shadows, copies and duplicates are named. */
const MOST_NAMED = 5
/** How many items are verified before yielding: a server has other callers to answer. */
const AT_ONCE = 50

export async function checkItems(context: ActionContext, workspace: Workspace): Promise<Check[]> {
  const { items, duplicates } = workspace.list(ITEM_TYPES)
  const signed = collectAll(workspace)
  const offered = (await listOfferedKeys(workspace.projectPath)).keys
  const { core_shadowing } = workspace.policy.execute
  const own = ownFingerprint(workspace.library.userSpace)
  const acceptors = lockedAcceptors(workspace)
  const findings: Finding[] = []
  const ofOthers: Neighbor[] = []
  for (const [index, found] of signed.entries()) {
    context.onProgress({ message: 'verifying', done: index, total: signed.length })
    context.signal.throwIfAborted()
    if (index % AT_ONCE === 0) await nextTurn()
    const judged = await judge(workspace, found)
    findings.push(...findFaults({ workspace, offered, own, acceptors }, found.entry, judged))
    const { status: name, signer } = judged.verdict
    if (name === 'verified' && signer !== own) ofOthers.push({ ...found.entry, name })
  }
  return [
    { name: 'items', status: 'ok', message: countOf(items.length, 'item') },
    ...groupFindings(findings, ofOthers),
    ...named(items.flatMap(checkShadow), 'are shadowed', 'rye list'),
    ...items.flatMap(found => checkUnused(found, core_shadowing)),
    ...named(duplicates.map(checkDuplicate), 'have files with the id of another', 'rye index --json'),
  ]
}

/** Keeps the first checks, and replaces the rest by their number. */
function named(checks: readonly Check[], what: string, fix: string): Check[] {
  const left = checks.slice(MOST_NAMED)
  if (left.length === 0) return [...checks]
  const status = left.some(check => check.status === 'problem') ? 'problem' : 'note'
  return [
    ...checks.slice(0, MOST_NAMED),
    { name: left[0]!.name, status, message: `${left.length} more ${what}`, fix },
  ]
}

interface Facts {
  readonly workspace: Workspace
  readonly offered: KeyListing['keys']
  /** Fingerprint of the user's own key. */
  readonly own: string
  /** Who accepted each item that is still as it was locked, by `TYPE:ID@SPACE`. */
  readonly acceptors: ReadonlyMap<string, string>
}

function findFaults(
  { workspace, offered, own, acceptors }: Facts,
  entry: ItemFile,
  { verdict, item }: Judged,
): Finding[] {
  if (verdict.status === 'verified' && !verdict.rolled_back_from) return []
  const { type, id, space } = entry
  const sign = item && signing(workspace, item, own)
  const faults: Finding[] = []
  // If older items are refused, this one cannot be used. Going back is decided item by item, so the fix has
  // no pattern.
  if (verdict.rolled_back_from)
    faults.push({
      ...{ name: 'older', type, id, space, ...(sign && { fix: sign.fix }) },
      status: workspace.memory.refuses ? 'problem' : 'note',
      reason: `it ${describeRollback(verdict.rolled_back_from)}; to go back on purpose:`,
    })
  if (verdict.status === 'verified') return faults
  const fault = { name: verdict.status, type, id, space, reason: verdict.reason ?? verdict.status } as const
  if (item && conflictOf(workspace, item).kind === 'signature')
    return [...faults, { ...fault, status: 'problem', ...resolving(fault) }]
  const acceptor = acceptors.get(`${type}:${id}@${space}`)
  if (acceptor !== undefined && /^un/.test(verdict.status))
    return [...faults, { ...fault, ...accepting(workspace, offered.get(acceptor), acceptor, fault) }]
  const isUntrusted = verdict.status === 'untrusted' && verdict.signer !== null
  if (isUntrusted && verdict.signer === own && !isKnownSigner(workspace, own)) {
    const reason = `your own key ${own} is no longer trusted`
    return [...faults, { ...fault, status: 'problem', reason, fix: `rye keys trust ${own}` }]
  }
  const isKnown = isUntrusted && isKnownSigner(workspace, verdict.signer!)
  const key = isUntrusted && !isKnown ? offered.get(verdict.signer!) : undefined
  const fix: Pick<Finding, 'fix' | 'signFlags'> | undefined = isKnown
    ? { fix: 'rye keys list' }
    : key
      ? { fix: `rye keys trust ${quoteShellWord(key.path)}` }
      : sign
  const isStranger = isUntrusted && !isKnown && (key || fix?.signFlags !== undefined)
  const stranger = isStranger ? { stranger: verdict.signer! } : {}
  return [...faults, { ...fault, status: 'problem', ...fix, ...stranger }]
}

/** The key is trusted for something else, or revoked, so trusting it is not the fix. */
function isKnownSigner({ trust }: Workspace, signer: string): boolean {
  return trust.keys.has(signer) || trust.revoked.has(signer)
}

function checkDuplicate({ message, entry }: { message: string; entry: ItemFile }): Check {
  // A copy of a skill in the folder of another client, as written by `rye skills install`, is meant for that
  // client.
  const isForClient = entry.type === 'skill' && !/[\\/]\.ai[\\/]skills[\\/]/.test(entry.path)
  if (isForClient) return { name: 'copy', status: 'note', message }
  return { name: 'duplicate', status: 'problem', message, fix: `rm ${quoteShellWord(entry.path)}` }
}

function signing(
  { library, trust }: Workspace,
  item: OpenedItem,
  own: string,
): Pick<Finding, 'fix' | 'signFlags'> {
  if (item.file.space === 'system') return { fix: 'npm install --global ryekit' }
  const { command, flags } = signCommand(item, { userSpace: library.userSpace, keys: trust.keys, own })
  // A pattern over settings would also match keys.
  return { fix: command, ...(item.file.type !== 'config' && { signFlags: flags }) }
}

/** The fix for an item that somebody else made and accepted: trust or review, not signing it. */
function accepting(
  { trust }: Workspace,
  offer: { readonly path: string } | undefined,
  acceptor: string,
  { type, id, space }: Pick<Finding, 'type' | 'id' | 'space'>,
): Pick<Finding, 'name' | 'status' | 'reason' | 'fix' | 'stranger'> {
  const isKnown = trust.keys.has(acceptor)
  const canTrust = !isKnown && offer !== undefined
  const reason = isKnown
    ? `the lock says that key ${acceptor} accepted it, but no valid approval of it is here`
    : `key ${acceptor} is not trusted`
  return {
    ...{ name: 'untrusted', status: 'problem', reason },
    fix: canTrust ? `rye keys trust ${quoteShellWord(offer.path)}` : `rye review ${type}:${id}@${space}`,
    ...(canTrust && { stranger: acceptor }),
  }
}

/** The fix for an item with the merged edits of two people. */
function resolving(file: Pick<Finding, 'type' | 'id' | 'space'>) {
  const { command: fix, flags: signFlags } = resolveCommand(file)
  return { reason: 'a merge left two signatures', fix, signFlags }
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

/** A runtime of the project that is never used, although it shadows that of the package. */
function checkUnused({ entry }: ResolvedEntry<ItemFile>, coreShadowing: 'refuse' | 'allow'): Check[] {
  const message = unusedCopy(entry, coreShadowing)
  return message === undefined
    ? []
    : [{ name: 'unused', status: 'note', message, fix: `rm ${quoteShellWord(entry.path)}` }]
}

interface Judged {
  readonly verdict: Pick<Verdict, 'status' | 'signer' | 'reason' | 'rolled_back_from'>
  /** Missing when the item could not be read; no command fixes that. */
  readonly item?: OpenedItem
}

async function judge(workspace: Workspace, found: ResolvedEntry<ItemFile>): Promise<Judged> {
  try {
    const item = workspace.read(found)
    return { item, verdict: await workspace.judge(item) }
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    return { verdict: { status: 'malformed', signer: null, reason: thrown.message } }
  }
}
