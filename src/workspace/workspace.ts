// One call's view of the library: where things are, how they are read, and whom the user trusts, all as of
// now. Views are cheap and never shared between projects; the library caches what is expensive.
import { AppError, callOf, commandOf, type Hint, hintWith } from '../base/index.ts'
import { isWritable, printRef, readVersion, type Space } from '../item/index.ts'
import { listItems, locate } from '../scan/index.ts'
import { resolveSpaces } from '../space/index.ts'
import type { Verdict } from '../trust/index.ts'
import { findItem } from './find-item.ts'
import { type OpenedItem, readItem } from './open-item.ts'
import { conflictOf, ownFingerprint, resolveCommand, type Signers, signCommand } from './sign-command.ts'
import type { UseOptions, UsePolicy, Workspace } from './types.ts'
import { useBrought } from './use-brought.ts'

type Parts = Pick<
  Workspace,
  | 'library'
  | 'projectPath'
  | 'roots'
  | 'spaces'
  | 'extractors'
  | 'sharedExtractors'
  | 'trust'
  | 'policy'
  | 'verdicts'
  | 'notes'
  | 'memory'
  | 'shared'
>

export function createWorkspace(parts: Parts): Workspace {
  const { extractors, trust, memory, spaces } = parts
  // Items brought from a catalogue are added to both lists.
  const all = [...parts.roots]
  const roots = all.filter(({ space }) => spaces.includes(space))
  /** Ids for which the catalogue gave no usable answer, and why. */
  const away = new Map<string, string>()
  const packaged = roots.filter(({ space }) => space === 'system')
  const places = { roots, extractors, listed: new Map() }
  const workspace: Workspace = {
    ...parts,
    roots: all,
    find: request => findItem(places, request, away.get(request.id)),
    has: request => locate(roots, extractors, request).found.length > 0,
    read: found => readItem(found, extractors, trust),
    tryRead(found) {
      try {
        return workspace.read(found)
      } catch (thrown) {
        if (!(thrown instanceof AppError)) throw thrown
        return undefined
      }
    },
    async bring(request) {
      if (!parts.shared || request.type === 'config' || !spaces.includes('shared')) return
      const own = roots.filter(({ space }) => isWritable(space))
      // If the user's own item wins anyway, we do not wait for the catalogue: the cache is enough to say
      // whether it shadows one.
      const isOwn =
        request.space === undefined
          ? locate(own, extractors, request).found.length > 0
          : request.space !== 'shared'
      const brought = isOwn ? parts.shared.atHand(request) : await parts.shared.bring(request, parts)
      const used = useBrought(request, brought, { packaged, extractors, trust })
      for (const root of used.roots) {
        if (roots.some(({ base }) => base === root.base)) continue
        all.push(root)
        roots.push(root)
      }
      for (const warning of [...used.warnings, ...(brought.warning === undefined ? [] : [brought.warning])]) {
        memory.warn(warning)
        away.set(request.id, warning)
      }
    },
    async open(request) {
      await workspace.bring(request)
      return workspace.use(workspace.read(workspace.find(request)))
    },
    async use(item, options) {
      const verdict = requireTrust(item, parts, options)
      return { ...item, verdict: memory.use(item.file, verdict, await versionOf(item)) }
    },
    async permit(item, options) {
      const verdict = requireTrust(item, parts, options)
      return { ...item, verdict: memory.check(item.file, verdict, await versionOf(item)) }
    },
    async judge(item) {
      if (!memory.knows(item.file, item.verdict)) return item.verdict
      return memory.look(item.file, item.verdict, await versionOf(item))
    },
    narrowed: view => createWorkspace({ ...parts, ...view }),
    trusting: other => createWorkspace({ ...parts, trust: other }),
    list(types) {
      // The cache holds only part of a catalogue, so it is not listed.
      const own = roots.filter(root => root.space !== 'shared')
      const wanted = types ? own.filter(root => types.includes(root.type)) : own
      const { items, skipped } = listItems(wanted, extractors)
      return { skipped, ...resolveSpaces(items, extractors) }
    },
  }
  return workspace
}

/** The version that an item states. Undefined for a bundled item, where it does not matter. */
async function versionOf(item: OpenedItem): Promise<string | undefined> {
  if (item.verdict.timestamp === null) return undefined
  return readVersion((await item.parse()).metadata.version)
}

/** Whether an item may be used: it is verified, or an item of the project that its author is working on. */
export function isUsable(
  { verdict, file }: { readonly verdict: Verdict; readonly file: { readonly space: Space } },
  { devMode, refusesOlder, userSpace }: UsePolicy,
): boolean {
  if (verdict.status === 'verified') return !(refusesOlder && verdict.rolled_back_from)
  if (!devMode || file.space !== 'project') return false
  return verdict.status === 'unsigned' || isOwnEdit(verdict, userSpace)
}

/** Whether the user's own key signed this item with other content. */
export function isOwnEdit({ status, format, signer }: Verdict, userSpace: string): boolean {
  return status === 'tampered' && format === 'v2' && signer === ownFingerprint(userSpace)
}

/** In development mode: the old signature does not cover the new content, so it counts as unsigned. */
export function asUnsigned({ hash }: Verdict): Verdict {
  const nobody = { format: null, coverage: null, signer: null, timestamp: null }
  return { status: 'unsigned', ...nobody, hash, reason: 'it was changed since you signed it' }
}

const REFUSALS = {
  unsigned: { code: 'ITEM_UNSIGNED', says: 'is not signed' },
  tampered: { code: 'ITEM_TAMPERED', says: 'was changed after it was signed' },
  untrusted: { code: 'ITEM_UNTRUSTED', says: 'is not signed by a key that you trust' },
  malformed: { code: 'ITEM_MALFORMED', says: 'has a malformed signature' },
} as const

/** Returns the verdict under which the item is used, or throws. */
function requireTrust(
  item: OpenedItem,
  workspace: Pick<Workspace, 'library' | 'trust' | 'memory' | 'extractors'>,
  { signedOnly = false }: UseOptions = {},
): Verdict {
  const { library, trust, memory } = workspace
  const { verdict, file } = item
  library.onVerdict?.(verdict.status)
  const devMode = library.devMode && !signedOnly
  if (verdict.status === 'verified') return verdict
  if (isUsable(item, { devMode, refusesOlder: false, userSpace: library.userSpace })) {
    if (verdict.status !== 'tampered') return verdict
    memory.warn(
      `\`${file.type}:${file.id}\` was changed since you signed it, and is used in development mode`,
    )
    return asUnsigned(verdict)
  }
  const { code } = REFUSALS[verdict.status]
  const says = isPartlySigned(item) ? 'is signed only in part' : REFUSALS[verdict.status].says
  const ref = printRef({ id: file.id })
  throw new AppError(
    code,
    `\`${file.type}:${ref}\` ${says}: \`${file.path}\`${verdict.reason ? `: ${verdict.reason}` : ''}`,
    {
      hint:
        conflictOf(workspace, item).kind === 'signature'
          ? mergedHint(resolveCommand(file).command)
          : hintFor(item, { userSpace: library.userSpace, keys: trust.keys }),
      details: { trust: verdict, item_type: file.type, item_id: file.id, path: file.path },
    },
  )
}

/** Whether a known key signed only part of it, in the old format: its reader may sign the rest. */
function isPartlySigned({ verdict, knowsSigner }: OpenedItem): boolean {
  const { status, format, coverage } = verdict
  return knowsSigner && status === 'untrusted' && format === 'v1' && coverage === 'partial'
}

function mergedHint(command: string): Hint {
  return {
    agent: `a merge left two signatures: ask the user to read it, and if it is right: ${command}`,
    person: `a merge left two signatures: read it, and if it is right: ${command}`,
  }
}

function ownKeyHint(fingerprint: string): Hint {
  const is = 'own key, which is no longer trusted; '
  return hintWith(
    { agent: `it is the user's ${is}`, person: `it is your ${is}` },
    commandOf('trust it again', `keys trust ${fingerprint}`),
  )
}

function hintFor(item: OpenedItem, signers: Signers): Hint {
  const { verdict, file, knowsSigner } = item
  if (file.space === 'system') return 'the package is damaged: install it again'
  if (file.space === 'shared' && verdict.status !== 'untrusted')
    return 'whoever keeps the catalogue must sign the item and sync it again'
  if (verdict.status === 'untrusted' && knowsSigner && !isPartlySigned(item)) {
    return {
      agent: 'only the user decides whom to trust, and for what: tell them why it was refused',
      person: '`rye keys list` shows what each key is trusted for',
    }
  }
  if (verdict.status === 'untrusted' && verdict.signer && !knowsSigner) {
    if (verdict.signer === ownFingerprint(signers.userSpace)) return ownKeyHint(verdict.signer)
    return {
      agent: `only the user may trust the key of ${verdict.signer}: ask them to run \`rye doctor\`, which shows the keys that the project offers`,
      person: `if you know the signer ${verdict.signer}, trust its key with \`rye keys trust FILE\`; \`rye doctor\` shows the keys that the project offers`,
    }
  }
  const { command, isTakeOver } = signCommand(item, signers)
  if (isTakeOver) {
    return {
      agent: `only the user may sign it over: ask them to read it, and if it is right: ${command}`,
      person: `read it, and if it is right: ${command}`,
    }
  }
  const source = file.space === 'user' && { source: 'user' }
  return hintWith(
    'read it, and if it is right: ',
    callOf('sign', { item_id: `${file.type}:${file.id}`, ...source }),
  )
}
