// `add`: takes items from a folder, an archive, a repository or a package, after a review.
import { join } from 'node:path'
import { AppError, countOf } from '../../base/index.ts'
import { extractItem } from '../../extract/index.ts'
import { realPath } from '../../scan/index.ts'
import { printAddress, type SourceAddress } from '../../sources/index.ts'
import type { Workspace } from '../../workspace/index.ts'
import { defineAction } from '../definition/action.ts'
import type { CallInput, Fields, InputOf } from '../definition/field-spec.ts'
import { projectPath } from '../definition/shared-fields.ts'
import { acceptCommand, answerItems, type BroughtItem, describeMerged } from './answer.ts'
import { bringItems } from './bring-items.ts'
import { compareStates } from './compare-states.ts'
import { foundIn, isWanted } from './consider-items.ts'
import { accept, dryRun, seconds, targetSpace } from './fields.ts'
import { digestSet } from './incoming.ts'
import { nameSource } from './named-source.ts'
import { type OpenedSource, openSource } from './open-source.ts'
import { findOtherOffers, type OtherOffer } from './other-offers.ts'
import { readLock, type Target, targetOf } from './target.ts'

const ADD_FIELDS = {
  source: {
    type: 'string',
    about: 'a folder, an archive, owner/repo[/path][#ref], a git address, npm:NAME[@RANGE]',
    required: true,
    flag: { position: 'first', value: 'SOURCE' },
  },
  to: targetSpace,
  only: {
    type: 'strings',
    about: 'only items whose id fits: `pdf*`, `skill:team/*`; repeatable',
    default: [],
    flag: { value: 'GLOB' },
  },
  ref: { type: 'string', about: 'branch, tag, commit, version or range', flag: { value: 'R' } },
  list: { type: 'boolean', about: 'show what is there, and take nothing', default: false },
  dry_run: dryRun,
  accept,
  timeout: seconds,
  project_path: projectPath,
} as const satisfies Fields

type Input = InputOf<typeof ADD_FIELDS>

export type AddInput = CallInput<typeof ADD_FIELDS>
export type AddAnswer = AddedItems | ListedSource

/** The answer with `list`. */
export interface ListedSource {
  readonly status: 'listed'
  readonly source: string
  readonly resolved?: string
  readonly items: readonly { readonly item: string; readonly from: string; readonly description: string }[]
  /** Paths that are not items, or may not be items, and why. */
  readonly left: readonly { readonly path: string; readonly reason: string }[]
  /** What else is there, with the command that would bring it. */
  readonly others: readonly OtherOffer[]
}

export interface AddedItems {
  /** `review`: some items wait for somebody to accept them. */
  readonly status: 'added' | 'unchanged' | 'review'
  readonly source: string
  /** A commit, version or digest. */
  readonly resolved: string
  /** Digest of the set. */
  readonly digest: string
  readonly items: readonly BroughtItem[]
  readonly left: readonly { readonly path: string; readonly reason: string }[]
  readonly others: readonly OtherOffer[]
  /** Set when nothing was meant to be taken. */
  readonly dry_run?: true
  readonly message: string
}

export const add = defineAction({
  name: 'add',
  description: 'Take items of a folder, an archive, a repository or a package, after a review of each.',
  effects: { readOnly: false, destructive: false, openWorld: true },
  forPeople: true,
  fields: ADD_FIELDS,
  run: async (context, input): Promise<AddAnswer> => {
    const workspace = await context.library.open(input.project_path)
    const address = nameSource(context, input.source, input.ref)
    const tree = await openSource(context, input, address)
    const others = await findOtherOffers(tree)
    const target = targetOf(workspace, input.to)
    const source = printAddress(address, target.base)
    if (input.list) return listSource(workspace, input, { address, source, tree, others })
    refuseOwnItems(address, target)
    const entry = readLock(target).sources.find(one => one.source === source)
    // Naming another ref is deliberate. With the ref unchanged, the state must not be older than the locked
    // one.
    const ref = 'ref' in address ? address.ref : undefined
    if (entry && entry.ref === ref) await compareStates(context, { input, entry }, address, tree)
    const brought = await bringItems(context, {
      ...{ workspace, target, address, tree },
      ...{ only: input.only, accept: input.accept, dryRun: input.dry_run },
    })
    const items = answerItems(brought, () => [])
    const digest = digestSet(brought.items)
    return {
      status: statusOf(items),
      source: brought.source,
      resolved: brought.resolved,
      digest,
      items,
      left: brought.left,
      others,
      ...(input.dry_run && { dry_run: true }),
      message: messageOf(items, digest, input),
    }
  },
  exitStatus: answer => (answer.status === 'review' && !answer.dry_run ? 1 : 0),
})

/** `remove` deletes locked items, and these would be the only copy. */
function refuseOwnItems(address: SourceAddress, { base }: Target): void {
  if (address.kind !== 'folder') return
  const [source, items] = [realPath(address.path), realPath(join(base, '.ai'))]
  const isAround = (folder: string, path: string) => `${path}/`.startsWith(`${folder.replace(/\/$/, '')}/`)
  if (!isAround(source, items) && !isAround(items, source)) return
  throw new AppError('INVALID_INPUT', `\`${address.path}\` holds the items of this space themselves`, {
    hint: 'name the folder that the others are in',
  })
}

interface Listing {
  readonly address: SourceAddress
  readonly source: string
  readonly tree: OpenedSource
  readonly others: readonly OtherOffer[]
}

async function listSource(
  workspace: Workspace,
  input: Input,
  { address, source, tree, others }: Listing,
): Promise<ListedSource> {
  const { items, refused } = foundIn(workspace, address, tree)
  const wanted = items.filter(item => isWanted(item, input.only))
  const contents = await tree.read(wanted.map(({ path }) => path))
  const listed: ListedSource['items'][number][] = []
  for (const { type, id, path, extension } of wanted) {
    const bytes = contents.get(path)!
    const { metadata } = await extractItem(workspace.extractors.get(type)!, { id, extension, bytes })
    const description = typeof metadata.description === 'string' ? metadata.description : ''
    listed.push({ item: `${type}:${id}`, from: path, description })
  }
  return {
    status: 'listed',
    source,
    ...(tree.resolved !== undefined && { resolved: tree.resolved }),
    ...{ items: listed, left: refused, others },
  }
}

function statusOf(items: readonly BroughtItem[]): AddedItems['status'] {
  if (items.some(({ state }) => state === 'open')) return 'review'
  return items.some(({ state }) => state === 'taken' || state === 'merged') ? 'added' : 'unchanged'
}

function messageOf(items: readonly BroughtItem[], digest: string, input: Input): string {
  const open = items.filter(({ state }) => state === 'open')
  const taken = items.filter(({ state }) => state === 'taken')
  const edited = items.filter(({ state }) => state === 'edited')
  const of = (count: number) => countOf(count, 'item')
  const parts = [
    ...describeMerged(items, input),
    ...(taken.length > 0 ? [`${of(taken.length)} taken`] : []),
    ...(edited.length > 0 ? [`${of(edited.length)} changed here and left as they are`] : []),
    ...(open.length > 0
      ? [`${of(open.length)} to be reviewed${input.dry_run ? '' : ', and not taken'}`]
      : []),
  ]
  if (parts.length === 0) return 'everything is there already'
  const next =
    open.length > 0 ? `; to accept exactly this: ${acceptCommand(choosingWords(input), input, digest)}` : ''
  return `${parts.join(', ')}${next}`
}

function choosingWords({ source, only, ref }: Input): string[] {
  const patterns = only.flatMap(pattern => ['--only', pattern])
  return ['add', source, ...patterns, ...(ref === undefined ? [] : ['--ref', ref])]
}
