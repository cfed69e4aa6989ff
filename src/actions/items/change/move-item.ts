// Moves an item. All new files are written before the old ones are removed: after an interruption the item is
// at its old place or at both, and the same command finishes the move. A signature names the id, so a signed
// item is signed again with the user's key; another key's signature is replaced only as `sign` would
// (`take-over.ts`).
import { basename, dirname, extname, join, relative } from 'node:path'
import { AppError, sha256Hex } from '../../../base/index.ts'
import { extractItem } from '../../../extract/index.ts'
import { modeOf, readFile, sweepFolders, writeAll } from '../../../files/index.ts'
import {
  folderOf,
  type ItemType,
  isWritable,
  parseRef,
  precedenceOf,
  printRef,
  type SignedType,
  type Space,
} from '../../../item/index.ts'
import { type ItemFile, WALK_LIMITS } from '../../../scan/index.ts'
import type { ResolvedEntry } from '../../../space/index.ts'
import { BY_AGENT, type SigningKey, SKILL_SIGNATURE, sign, signSkill } from '../../../trust/index.ts'
import { getSigningKey } from '../../../user/index.ts'
import type { OpenedItem, Workspace } from '../../../workspace/index.ts'
import type { ActionContext } from '../../definition/action.ts'
import { checkNewId } from '../check-new-id.ts'
import { warnOfKey } from '../sign/sign-items.ts'
import { timestampOf } from '../sign/signer.ts'
import { askForForeign, refuseForeign } from '../sign/take-over.ts'
import { validateForSigning } from '../sign/validate.ts'
import { deleteItem, filesWithSignature } from './item-files.ts'
import { findOwnItem } from './own-item.ts'
import { findReferrers, type Referrer } from './referrers.ts'
import { rewriteIdentity } from './rewrite-identity.ts'
import { usedFiles } from './used-files.ts'

interface Input {
  readonly item_id: string
  readonly to: string
  readonly item_type?: ItemType
  readonly take_over?: boolean
  readonly project_path: string
}

export interface MvAnswer {
  readonly status: 'moved'
  readonly item_type: SignedType
  readonly item_id: string
  readonly from: string
  readonly path: string
  readonly signed: boolean
  /** Items that still mention the old id. */
  readonly referred_by: readonly Referrer[]
  readonly warnings: readonly string[]
}

/** Where the item goes. */
interface Target {
  readonly id: string
  readonly space: 'project' | 'user'
  readonly root: string
  readonly path: string
  /** Other spaces that have an item of this id. */
  readonly others: readonly Space[]
}

export async function moveItem(context: ActionContext, input: Input): Promise<MvAnswer> {
  const workspace = await context.library.open(input.project_path)
  const found = findOwnItem(workspace, input, 'moved')
  const read = workspace.read(found)
  const target = readTarget(workspace, read, input.to)
  const signed = read.verdict.status !== 'unsigned'
  const key = signed ? getSigningKey(context.library.userSpace) : undefined
  const item = key ? await maySignAgain(context, { workspace, key }, found, input.take_over === true) : read
  const bare = rewrite(item, target)
  const files = key ? await signFiles(workspace, item, bare, target, key) : bare
  const referred_by = findReferrers(workspace, item.file)
  const left = dirname(target.path) === dirname(item.file.path) ? [] : usedFiles(item)
  writeFiles(item, files, target)
  deleteItem(item)
  return {
    status: 'moved',
    item_type: item.file.type,
    item_id: target.id,
    from: printRef({ id: item.file.id, space: item.file.space }),
    path: target.path,
    signed,
    referred_by: referred_by.filter(({ path }) => path !== target.path),
    warnings: [
      ...left.map(({ path }) => `it uses \`${path}\`, which stays where it is`),
      ...shadowWarnings(item, target),
    ],
  }
}

function readTarget(workspace: Workspace, { file }: OpenedItem, to: string): Target {
  const ref = parseRef(to)
  if (ref.type && ref.type !== file.type)
    throw new AppError('INVALID_INPUT', `a ${file.type} cannot become a ${ref.type}`)
  const space = ref.space ?? file.space
  if (!isWritable(space))
    throw new AppError('SPACE_IMMUTABLE', `${space} items are immutable: nothing can be moved there`)
  const { id } = ref
  if (id === file.id && space === file.space)
    throw new AppError('INVALID_INPUT', `it is already at \`${to}\``)
  const root = space === 'project' ? workspace.projectPath : workspace.library.userSpace
  if (id !== file.id) checkNewId(workspace, { type: file.type, id, root, from: file.path })
  const folder = join(root, '.ai', folderOf(file.type))
  const path =
    file.type === 'skill' ? join(folder, id, basename(file.path)) : join(folder, `${id}${extname(file.path)}`)
  const others = workspace.list([file.type]).items.map(({ entry }) => entry)
  const existing = others.find(entry => entry.id === id && entry.space === space)
  // The same path may come from an interrupted call: `writeFiles` compares what is there.
  if (existing && existing.path !== path)
    throw new AppError('ITEM_EXISTS', `\`${file.type}:${id}\` already exists: \`${existing.path}\``)
  const same = others.filter(entry => entry.id === id && entry.space !== space && entry.path !== file.path)
  return { id, space, root, path, others: same.map(entry => entry.space) }
}

/** Which items it shadows, which one shadows it, and what the old id refers to from now on. */
function shadowWarnings({ file, shadows }: OpenedItem, { id, space, others }: Target): string[] {
  const isBelow = (other: Space) => precedenceOf(other) > precedenceOf(space)
  const uncovered = id === file.id ? undefined : shadows[0]
  return [
    ...others.map(other =>
      isBelow(other)
        ? `it is used instead of \`${id}\` of the ${other} space`
        : `\`${id}\` of the ${other} space is used instead of it`,
    ),
    ...(uncovered ? [`\`${file.id}\` is now the item of the ${uncovered} space`] : []),
  ]
}

/** The item, if it may be signed again. What was changed since it was signed, somebody must read first. */
async function maySignAgain(
  context: ActionContext,
  owner: { readonly workspace: Workspace; readonly key: SigningKey },
  found: ResolvedEntry<ItemFile>,
  takeOver: boolean,
): Promise<OpenedItem> {
  await warnOfKey(context, owner.key)
  const allowed = (await askForForeign(context, owner, [found], takeOver)).get(found)
  const item = allowed ?? owner.workspace.read(found)
  if (!allowed) refuseForeign(owner, item)
  const { status, reason } = item.verdict
  if (status === 'verified' || status === 'untrusted' || allowed) return item
  throw new AppError('ITEM_TAMPERED', `${item.file.type}:${item.file.id} is not moved: ${reason}`, {
    hint: 'read it, and sign it first',
  })
}

/** The files with the new id in them. */
function rewrite(item: OpenedItem, { id, path }: Target): Map<string, Uint8Array> {
  const old = basename(item.file.path)
  const before = Buffer.from(item.bytes).toString('utf8')
  const text = rewriteIdentity(before, item.file.type, item.file.id, id)
  const bytes = text === before ? item.bytes : Buffer.from(text)
  return new Map(
    [...filesWithSignature(item)].map(([name, content]) => [
      name.replace(old, basename(path)),
      name === old ? bytes : content,
    ]),
  )
}

/** Throws `VALIDATION_FAILED` when the item is not valid under its new id. */
async function signFiles(
  workspace: Workspace,
  { file: { type, extension }, verdict }: OpenedItem,
  files: ReadonlyMap<string, Uint8Array>,
  { id, path }: Target,
  key: SigningKey,
): Promise<Map<string, Uint8Array>> {
  const options = {
    timestamp: timestampOf(workspace.library.now()),
    format: 'v2',
    ...(verdict.by_agent && { provenance: BY_AGENT }),
  } as const
  const name = basename(path)
  const text = files.get(name)!
  const extractor = workspace.extractors.get(type)!
  const parse = () => extractItem(extractor, { id, extension, bytes: text })
  await validateForSigning(workspace, {
    bytes: text,
    parse,
    parts: files,
    file: { id, type, path, extension },
  })
  const signed = new Map(files)
  if (type === 'skill') {
    signed.delete(SKILL_SIGNATURE)
    const digests = new Map([...signed].map(([part, bytes]) => [part, sha256Hex(bytes)]))
    return signed.set(SKILL_SIGNATURE, signSkill({ id, files: digests }, key, options).bytes)
  }
  const format = extractor.signatureFormats.get(extension)!
  const { bytes, detached } = sign({ type, id, extension, bytes: text, format }, key, options)
  signed.set(name, bytes)
  return detached ? signed.set(`${name}.sig`, detached) : signed
}

/**
 * Writes all files or none; the one that makes it an item is put into place last. Files already there must come
 * from an interrupted call.
 */
function writeFiles(item: OpenedItem, files: ReadonlyMap<string, Uint8Array>, { root, path }: Target): void {
  const [from, to] = [dirname(item.file.path), dirname(path)]
  const placed = new Map([...files].reverse().map(([name, bytes]) => [join(to, name), bytes]))
  for (const [target, bytes] of placed) {
    const there = readFile(target, { maxBytes: WALK_LIMITS.fileBytes, root })
    if (there && !isSameText(there.bytes, bytes))
      throw new AppError('ITEM_EXISTS', `\`${target}\` is in the way`, {
        hint: 'choose another id, or remove it',
      })
  }
  sweepFolders(placed.keys(), root)
  writeAll(placed, {
    root,
    modeFor: (_, target) => modeOf(target === path ? item.file.path : join(from, relative(to, target))),
  })
}

/** Ignores signatures: those of two calls differ in their timestamps. */
function isSameText(one: Uint8Array, other: Uint8Array): boolean {
  const bare = (bytes: Uint8Array) =>
    Buffer.from(bytes)
      .toString('latin1')
      .replaceAll(/rye:signed:\S+/g, '')
  return bare(one) === bare(other)
}
