// One call's view of the library: where things are, how they are read, and whom the user trusts, all as of now.
// Views are cheap and never shared between projects; what is costly is cached by the library that makes them.
import { AppError } from '../base/index.ts'
import type { Extractors } from '../extract/index.ts'
import { printRef, type SignedType } from '../item/index.ts'
import { type ItemFile, type ItemRoot, type Listing, listItems, locate } from '../scan/index.ts'
import { type Resolution, type ResolvedEntry, resolveSpaces } from '../space/index.ts'
import type { TrustContext } from '../trust/index.ts'
import { type FindRequest, findItem } from './find-item.ts'
import type { Library } from './library.ts'
import type { ExtractorNote } from './load-extractors.ts'
import { type OpenedItem, readItem } from './open-item.ts'
import type { VerdictCache } from './verdict-cache.ts'

export interface Workspace {
  readonly library: Library
  readonly projectPath: string
  readonly roots: readonly ItemRoot[]
  readonly extractors: Extractors
  /** Without the project's overrides: for items that projects share. */
  readonly sharedExtractors: Extractors
  readonly trust: TrustContext
  readonly verdicts: VerdictCache
  /** Overrides of extractors that were not taken, and why. */
  readonly notes: readonly ExtractorNote[]
  /** The file that a reference means; throws `ITEM_NOT_FOUND` or `ITEM_AMBIGUOUS`. */
  find(request: FindRequest): ResolvedEntry<ItemFile>
  /** Whether there is such an item, without a word about what is near. */
  has(request: FindRequest): boolean
  /** Reads an item once and judges it. */
  read(found: ResolvedEntry<ItemFile>): OpenedItem
  /** Finds, reads, and refuses what is not trusted. */
  open(request: FindRequest): OpenedItem
  /** The same view with another trust: `verify --trust`. */
  trusting(trust: TrustContext): Workspace
  /** Everything there is, by walking. */
  list(types?: readonly SignedType[]): Pick<Listing, 'passed'> & Resolution<ItemFile>
}

type Parts = Pick<
  Workspace,
  'library' | 'projectPath' | 'roots' | 'extractors' | 'sharedExtractors' | 'trust' | 'verdicts' | 'notes'
>

export function createWorkspace(parts: Parts): Workspace {
  const { library, roots, extractors, trust } = parts
  const workspace: Workspace = {
    ...parts,
    find: request => findItem(roots, extractors, request),
    has: request => locate(roots, extractors, request).found.length > 0,
    read: found => readItem(found, extractors, trust),
    open(request) {
      const item = workspace.read(workspace.find(request))
      requireTrust(item, library.devMode)
      return item
    },
    trusting: other => createWorkspace({ ...parts, trust: other }),
    list(types) {
      const wanted = types ? roots.filter(root => types.includes(root.type)) : roots
      const { items, passed } = listItems(wanted, extractors)
      return { passed, ...resolveSpaces(items, extractors) }
    },
  }
  return workspace
}

/** Whether an item may be used: verified, or an unsigned item of the project while its author works on it. */
export function isUsable(item: OpenedItem, devMode: boolean): boolean {
  if (item.verdict.status === 'verified') return true
  return devMode && item.file.space === 'project' && item.verdict.status === 'unsigned'
}

const REFUSALS = {
  unsigned: { code: 'ITEM_UNSIGNED', says: 'is not signed' },
  tampered: { code: 'ITEM_TAMPERED', says: 'was changed after it was signed' },
  untrusted: { code: 'ITEM_UNTRUSTED', says: 'is not signed by a key that you trust' },
  malformed: { code: 'ITEM_MALFORMED', says: 'has a malformed signature' },
} as const

export function requireTrust(item: OpenedItem, devMode: boolean): void {
  const { verdict, file } = item
  if (verdict.status === 'verified' || isUsable(item, devMode)) return
  const { code, says } = REFUSALS[verdict.status]
  const ref = printRef({ id: file.id })
  throw new AppError(
    code,
    `\`${file.type}:${ref}\` ${says}: \`${file.path}\`${verdict.reason ? `: ${verdict.reason}` : ''}`,
    {
      hint: mend(item),
      details: { trust: verdict, item_type: file.type, item_id: file.id, path: file.path },
    },
  )
}

function mend({ verdict, file }: OpenedItem): string {
  if (file.space === 'system') return 'the package is damaged: install it again'
  const sign = `rye sign ${file.type}:${file.id}${file.space === 'user' ? ' --source user' : ''}`
  if (verdict.status === 'untrusted' && verdict.signer) {
    return `if you know the signer ${verdict.signer}, trust its key with \`rye keys trust FILE\`; \`rye doctor\` shows the keys that the project offers`
  }
  return `read it, and if it is as it should be: ${sign}`
}
