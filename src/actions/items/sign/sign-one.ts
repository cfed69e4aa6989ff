// Signs one item: validates it by the extractor's rules, computes the signature, writes it durably.
import { basename, dirname, join } from 'node:path'
import { AppError, isText, sha256Hex } from '../../../base/index.ts'
import { atomicWrite, isSameState, stateAt } from '../../../files/index.ts'
import { type SignedType, SKIPPED_FOLDERS } from '../../../item/index.ts'
import type { ItemFile } from '../../../scan/index.ts'
import type { ResolvedEntry } from '../../../space/index.ts'
import { findHiddenText, type SignatureLine, SKILL_SIGNATURE, sign, signSkill } from '../../../trust/index.ts'
import { keepSigned } from '../../../user/index.ts'
import { describeRollback, type OpenedItem } from '../../../workspace/index.ts'
import type { SignedItem } from './fields.ts'
import { acceptOlder, refuseOlder } from './going-back.ts'
import { provenanceOf, refuseNeeds } from './grant-needs.ts'
import { missingExecutor } from './missing-executor.ts'
import { requireReview } from './require-review.ts'
import { type Signer, timestampOf } from './signer.ts'
import { refuseForeign } from './take-over.ts'
import { printDiagnostic, refuseConflict, validateForSigning } from './validate.ts'

/**
 * Signs a new item or one of this key's own; any other only as `allowed`, the content that somebody allowed.
 */
export async function signOne(
  signer: Signer,
  found: ResolvedEntry<ItemFile>,
  allowed?: OpenedItem,
): Promise<SignedItem> {
  const item = allowed ?? signer.workspace.read(found)
  refuseConflict(signer.workspace, item)
  refuseUnread(signer, item)
  if (!allowed) refuseForeign(signer, item)
  const seen = await requireReview(signer, item)
  await refuseNeeds(signer, item)
  const { isHelperFile, noticed } = await validateForSigning(signer.workspace, item, signer.skills)
  const lacking = await missingExecutor(signer.workspace, item)
  const older = await refuseOlder(signer, item)
  const { file } = item
  const format = file.type === 'skill' ? 'v2' : signer.format
  const kept = older ? undefined : unchangedSignature(signer, item)
  const { signature, warnings, files } = kept ?? write(signer, item)
  const { timestamp, hash } = signature
  if (older) await acceptOlder(signer, item, { timestamp, format, hash })
  keepCopy(signer, item, { timestamp, files })
  const went = older ? [`it ${describeRollback(older)}`] : []
  const what = isHelperFile ? 'Helper file' : MESSAGES[file.type]
  return {
    status: 'signed',
    ...(kept && { unchanged: true }),
    item_type: file.type,
    item_id: file.id,
    path: file.path,
    location: file.space,
    signature: {
      timestamp,
      hash,
      ed25519_sig: signature.encoded,
      pubkey_fp: signature.fingerprint,
      format,
    },
    warnings: [...went, ...signer.workspace.memory.warnings, ...seen, ...noticed, ...lacking, ...warnings],
    message: kept
      ? `${what} is valid and already signed: nothing was written.`
      : `${what} validated and signed.`,
  }
}

const MESSAGES: Record<SignedType, string> = {
  directive: 'Directive',
  tool: 'Tool',
  knowledge: 'Knowledge entry',
  skill: 'Skill',
  config: 'Config',
}

/** What signing makes of an item: its new signature, and the file that holds it. */
interface Signing {
  readonly path: string
  readonly bytes: Uint8Array
  /** What that file holds now. */
  readonly before: Uint8Array | undefined
  readonly signature: SignatureLine & { readonly encoded: string }
  readonly warnings: readonly string[]
  /** The item as signed, without a detached signature. */
  readonly files: ReadonlyMap<string, Uint8Array>
}

function write(signer: Signer, item: OpenedItem): Signing {
  const signing = prepare(signer, item, timestampOf(signer.workspace.library.now()))
  if (item.file.type !== 'skill') refuseChanged(item)
  atomicWrite(signing.path, signing.bytes, {
    root: item.file.base,
    swept: signer.swept,
    makeFolders: false,
  })
  return signing
}

/**
 * Signing is deterministic: with the item's own timestamp it gives the same bytes, unless the item has
 * changed.
 */
function unchangedSignature(signer: Signer, item: OpenedItem): Signing | undefined {
  const { timestamp, signer: before } = item.verdict
  if (timestamp === null || before !== signer.key.fingerprint) return undefined
  const again = prepare(signer, item, timestamp)
  return again.before && Buffer.compare(again.bytes, again.before) === 0 ? again : undefined
}

function prepare(signer: Signer, item: OpenedItem, timestamp: string): Signing {
  return item.file.type === 'skill'
    ? prepareSkill(signer, item, timestamp)
    : prepareFile(signer, item, timestamp)
}

function prepareFile(signer: Signer, item: OpenedItem, timestamp: string): Signing {
  const { type, id, extension, path } = item.file
  const format = signer.workspace.extractors.get(type)?.signatureFormats.get(extension)
  if (!format) throw new Error(`unreachable: no signature format for ${type} ${extension}`)
  const { bytes, detached, signature, warnings } = sign(
    { type, id, extension, bytes: item.bytes, format },
    signer.key,
    { timestamp, format: signer.format, ...provenanceOf(signer, item) },
  )
  const file = detached
    ? { path: `${path}.sig`, bytes: detached, before: item.detached }
    : { path, bytes, before: item.bytes }
  const files = new Map([[basename(path), detached ? item.bytes : bytes]])
  return { ...file, signature, warnings: warnings.map(printDiagnostic), files }
}

function prepareSkill(signer: Signer, { file, parts, detached }: OpenedItem, timestamp: string): Signing {
  if (signer.format === 'v1') {
    throw new AppError('INVALID_INPUT', 'skills have no v1 signature: expected --format v2')
  }
  const digests = new Map([...parts].map(([path, bytes]) => [path, sha256Hex(bytes)]))
  const { bytes, signature } = signSkill({ id: file.id, files: digests }, signer.key, { timestamp })
  const warnings = [...restlessFolders(parts.keys()), ...[...parts].flatMap(hiddenIn)]
  return {
    path: join(dirname(file.path), SKILL_SIGNATURE),
    bytes,
    before: detached,
    signature,
    warnings,
    files: parts,
  }
}

/** Keeps a copy, to compare later changes with. The item is signed even if the copy cannot be kept. */
function keepCopy(
  { workspace, swept }: Signer,
  { file }: OpenedItem,
  copy: { readonly timestamp: string; readonly files: ReadonlyMap<string, Uint8Array> },
): void {
  try {
    keepSigned(workspace.library.states.make(file.base).path, `${file.type}:${file.id}`, copy, swept)
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
  }
}

/** With `digest`, only what was read before is signed, and nothing that has taken its place. */
function refuseUnread({ digest }: Signer, item: OpenedItem): void {
  if (digest === undefined || digest === item.contentDigest()) return
  throw new AppError(
    'WRITE_FAILED',
    `\`${item.file.path}\` is not signed: it has changed since it was read`,
    {
      hint: 'read it again',
    },
  )
}

/** Warns of caches and repositories in a skill: they are signed too, and other programs write to them. */
function restlessFolders(paths: Iterable<string>): string[] {
  const folders = new Set<string>()
  for (const path of paths) {
    const segments = path.split('/').slice(0, -1)
    const depth = segments.findIndex(segment => SKIPPED_FOLDERS.has(segment))
    if (depth !== -1) folders.add(segments.slice(0, depth + 1).join('/'))
  }
  return [...folders].map(
    folder => `${folder}: is signed too, so any change in it makes the skill tampered; consider removing it`,
  )
}

/** Images and other binary files of a skill have no text to misread. */
function hiddenIn([path, bytes]: readonly [string, Uint8Array]): string[] {
  if (!isText(bytes)) return []
  return findHiddenText(bytes).map(found => `${path}: ${printDiagnostic(found)}`)
}

/** Signing must not overwrite an edit that was made meanwhile. */
function refuseChanged(item: OpenedItem): void {
  const now = stateAt(item.file.path)
  if (now && isSameState(item.state, now)) return
  throw new AppError('WRITE_FAILED', `\`${item.file.path}\` changed while it was signed`, {
    hint: 'sign it again',
  })
}
