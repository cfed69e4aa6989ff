// Merges two edits of one item. Each side has its own signature line, so git alone always conflicts there:
// here the contents are merged without it. The result is signed only if both sides are verified: then a key
// that the user trusts has vouched for every line, and nobody gets a text signed that they could not have
// signed themselves.
import { basename, dirname, extname, sep } from 'node:path'
import { AppError } from '../../../base/index.ts'
import { extractItem } from '../../../extract/index.ts'
import { atomicWrite, readFile } from '../../../files/index.ts'
import { type SignatureFormat, type SignedType, typeOfFolder } from '../../../item/index.ts'
import { BY_AGENT, bareContent, sign, verify, withSignatureOf } from '../../../trust/index.ts'
import { findKeyProblem, findSigningKey } from '../../../user/index.ts'
import type { Workspace } from '../../../workspace/index.ts'
import type { ActionContext } from '../../definition/action.ts'
import type { InputOf } from '../../definition/field-spec.ts'
import { resolvePath } from '../../definition/resolve-path.ts'
import { timestampOf } from '../sign/signer.ts'
import { validateForSigning } from '../sign/validate.ts'
import { identify } from '../verify/collect-signed.ts'
import type { MERGE_FIELDS, MergeAnswer } from './fields.ts'

const MOST_BYTES = 16 * 1024 * 1024

interface Sides {
  readonly base: string
  readonly ours: string
  readonly theirs: string
}

/** An item with a signature line in its own file. */
interface Item {
  readonly workspace: Workspace
  readonly type: SignedType
  readonly id: string
  readonly extension: string
  readonly format: SignatureFormat
  readonly root: string
  readonly path: string
}

export async function mergeItem(
  context: ActionContext,
  input: InputOf<typeof MERGE_FIELDS>,
): Promise<MergeAnswer> {
  const [base, ours, theirs, path] = [input.base, input.ours, input.theirs, input.path].map(given =>
    resolvePath(context, given),
  ) as [string, string, string, string]
  const sides = { base, ours, theirs }
  if (path.endsWith('.sig')) {
    const reason = 'a list of signed files cannot be merged: sign the item again with `rye sign --resolve`'
    return { status: 'conflict', path, signed: false, reason }
  }
  const item = await findSigned(context, path)
  if (!item) return { ...(await mergeText(context, sides)), path, signed: false }
  return mergeSigned(context, item, sides)
}

async function mergeSigned(context: ActionContext, item: Item, sides: Sides): Promise<MergeAnswer> {
  const [base, ours, theirs] = [sides.base, sides.ours, sides.theirs].map(read) as [Buffer, Buffer, Buffer]
  const named = { path: item.path, item_type: item.type, item_id: item.id }
  for (const [path, bytes] of [
    [sides.base, base],
    [sides.ours, ours],
    [sides.theirs, theirs],
  ] as const) {
    write(path, bareContent({ ...item, bytes }))
  }
  const merged = await mergeText(context, sides)
  const bare = read(sides.ours)
  if (merged.status === 'merged') {
    const result = await signMerged(context, item, { ours, theirs, bare })
    if (typeof result !== 'string') {
      write(sides.ours, result)
      return { status: 'merged', ...named, signed: true }
    }
    write(sides.ours, withSignatureOf({ ...item, bytes: ours }, bare))
    return { status: 'conflict', ...named, signed: false, reason: `merged, but not signed: ${result}` }
  }
  write(sides.ours, withSignatureOf({ ...item, bytes: ours }, bare))
  return { ...merged, ...named, signed: false }
}

/** The signed bytes, or why they are not signed. */
async function signMerged(
  { library }: ActionContext,
  item: Item,
  { ours, theirs, bare }: { readonly ours: Buffer; readonly theirs: Buffer; readonly bare: Buffer },
): Promise<Uint8Array | string> {
  const { workspace, type, path, extension } = item
  const options: { provenance?: string } = {}
  for (const [side, bytes] of [
    ['ours', ours],
    ['theirs', theirs],
  ] as const) {
    const { status, reason, by_agent } = verify({ ...item, bytes }, workspace.trust)
    if (status !== 'verified') return `${side} is ${status}: ${reason}`
    if (by_agent) options.provenance = BY_AGENT
  }
  const key = findSigningKey(library.userSpace)
  if (!key) return 'you have no key: `rye keys generate`'
  const problem = await findKeyProblem(library.userSpace, key, library.now())
  if (problem) return problem.message
  try {
    const extractor = workspace.extractors.get(type)!
    const parse = () => extractItem(extractor, { id: item.id, extension, bytes: bare })
    await validateForSigning(workspace, { bytes: bare, parse, file: { id: item.id, type, path, extension } })
    return sign({ ...item, bytes: bare }, key, {
      ...options,
      timestamp: timestampOf(library.now()),
      format: 'v2',
    }).bytes
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    return thrown.message
  }
}

/** Merges the three texts as git itself would. The result replaces ours. */
async function mergeText(
  { runProgram }: ActionContext,
  { base, ours, theirs }: Sides,
): Promise<Pick<MergeAnswer, 'status' | 'reason'>> {
  if (!runProgram) throw new AppError('NOT_AVAILABLE', 'merging runs git, for a person at a terminal')
  const labels = ['ours', 'base', 'theirs'].flatMap(label => ['-L', label])
  const { status, errors } = await runProgram({
    command: 'git',
    args: ['merge-file', ...labels, ours, base, theirs],
    directory: dirname(ours),
  })
  if (status === 0) return { status: 'merged' }
  // Git's exit status counts conflicts up to 127; anything else means that it failed and changed nothing.
  if (status === null || status > 127)
    return {
      status: 'conflict',
      reason: `git cannot merge it: ${errors.trim() || 'it did not end by itself'}`,
    }
  return { status: 'conflict', reason: 'both sides changed the same lines: resolve them, then sign it' }
}

/** Undefined for a file without a signature line: a file of a skill, JSON, anything that is not an item. */
async function findSigned({ library }: ActionContext, path: string): Promise<Item | undefined> {
  const segments = path.split(sep)
  const at = segments.findLastIndex(
    (name, index) => name === '.ai' && typeOfFolder(segments[index + 1] ?? ''),
  )
  if (at === -1) return undefined
  const root = segments.slice(0, at).join(sep) || sep
  const workspace = await library.open(root)
  const extension = extname(basename(path))
  const { type, id } = identify(workspace, path, undefined)
  const extractor = workspace.extractors.get(type)
  const format = extractor?.signatureFormats.get(extension)
  if (type === 'skill' || !extractor?.extensions.includes(extension) || !format || format.detached)
    return undefined
  return { workspace, type, id, extension, format, root, path }
}

function read(path: string): Buffer {
  const found = readFile(path, { maxBytes: MOST_BYTES })
  if (!found) throw new AppError('FILE_UNREADABLE', `no file at \`${path}\``)
  return found.bytes
}

function write(path: string, bytes: Uint8Array): void {
  atomicWrite(path, bytes, { root: dirname(path) })
}
