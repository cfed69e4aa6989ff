// Signing one item: validate by the extractor's rules, compute, write durably.
import { isUtf8 } from 'node:buffer'
import { dirname, join } from 'node:path'
import { AppError, type Diagnostic, sha256Hex } from '../../../base/index.ts'
import { isHelper, validateItem } from '../../../extract/index.ts'
import { atomicWrite, isSameState, stateAt } from '../../../files/index.ts'
import { nameOf, type SignedType, SKIPPED_FOLDERS } from '../../../item/index.ts'
import { programFaults } from '../../../plan/index.ts'
import type { ItemFile } from '../../../scan/index.ts'
import { readSkill } from '../../../skills/index.ts'
import type { ResolvedEntry } from '../../../space/index.ts'
import { findHiddenText, SKILL_SIGNATURE, sign, signSkill } from '../../../trust/index.ts'
import { describeRollback, type OpenedItem, type Workspace } from '../../../workspace/index.ts'
import type { SignedItem } from './fields.ts'
import { acceptOlder, refuseOlder } from './going-back.ts'
import { type Signer, timestampOf } from './signer.ts'
import { refuseForeign } from './take-over.ts'

/** Signs a new item or one of the key's own; another one only as it was read when somebody allowed it. */
export async function signOne(
  signer: Signer,
  found: ResolvedEntry<ItemFile>,
  allowed?: OpenedItem,
): Promise<SignedItem> {
  const item = allowed ?? signer.workspace.read(found)
  if (!allowed) refuseForeign(signer, item)
  const { isHelperFile, noticed } = await validate(signer.workspace, item)
  const older = await refuseOlder(signer, item)
  const { file } = item
  const { signature, warnings } = file.type === 'skill' ? writeSkill(signer, item) : writeItem(signer, item)
  const format = file.type === 'skill' ? 'v2' : signer.format
  const { timestamp, hash } = signature
  if (older) await acceptOlder(signer, item, { timestamp, format, hash })
  const went = older ? [`it ${describeRollback(older)}`] : []
  return {
    status: 'signed',
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
    warnings: [...went, ...signer.workspace.memory.warnings, ...noticed, ...warnings],
    message: `${isHelperFile ? 'Helper file' : MESSAGES[file.type]} validated and signed.`,
  }
}

const MESSAGES: Record<SignedType, string> = {
  directive: 'Directive',
  tool: 'Tool',
  knowledge: 'Knowledge entry',
  skill: 'Skill',
  config: 'Config',
}

/** Returns what whoever signs should know; throws `VALIDATION_FAILED` with every problem. */
async function validate(
  workspace: Workspace,
  item: OpenedItem,
): Promise<{ isHelperFile: boolean; noticed: string[] }> {
  const extractor = workspace.extractors.get(item.file.type)
  if (!extractor) throw new Error(`unreachable: no extractor for ${item.file.type}`)
  const parsed = await item.parse()
  const [faults, found] = (['error', 'warning'] as const).map(severity =>
    parsed.diagnostics.filter(one => one.severity === severity).map(printDiagnostic),
  )
  const warnings = item.file.type === 'skill' ? await skillWarnings(item) : found
  const isHelperFile = isHelper(parsed)
  const issues = [
    ...faults!,
    ...(isHelperFile ? [] : validateItem(extractor, parsed).map(issue => issue.message)),
    ...(item.file.type === 'tool' ? programFaults({ ...parsed, bytes: item.bytes }) : []),
  ]
  if (issues.length === 0)
    return { isHelperFile, noticed: isHelperFile ? [HELPER_NOTE, ...warnings!] : warnings! }
  throw new AppError(
    'VALIDATION_FAILED',
    `Validation failed: \`${item.file.path}\`: ${issues.length} problem${issues.length === 1 ? '' : 's'}`,
    {
      hint: `fix ${issues.length === 1 ? 'this' : 'these'} and sign again: ${issues[0]}`,
      details: { issues, path: item.file.path },
    },
  )
}

/** What a scan of the folder says, and what in it is no part of the skill. */
async function skillWarnings({ file, parts, leftOut }: OpenedItem): Promise<string[]> {
  const { diagnostics } = await readSkill({ name: nameOf(file.id), path: '.', files: parts })
  return [
    ...diagnostics.map(found => `${found.path}: ${printDiagnostic(found)}`),
    ...leftOut.map(({ path, message }) => `${path}: ${message}`),
  ]
}

const HELPER_NOTE =
  'it declares nothing of a tool: signed as a file that tools beside it may import, not as one to run'

function writeItem(signer: Signer, item: OpenedItem) {
  const { file } = item
  const format = signer.workspace.extractors.get(file.type)?.signatureFormats.get(file.extension)
  if (!format) throw new Error(`unreachable: no signature format for ${file.type} ${file.extension}`)
  const { type, id, extension } = file
  const signed = sign({ type, id, extension, bytes: item.bytes, format }, signer.key, {
    timestamp: timestampOf(signer.workspace.library.now()),
    format: signer.format,
  })
  const options = { root: file.base, swept: signer.swept, makeFolders: false }
  refuseChanged(item)
  if (signed.detached) atomicWrite(`${file.path}.sig`, signed.detached, options)
  else atomicWrite(file.path, signed.bytes, options)
  return { signature: signed.signature, warnings: signed.warnings.map(printDiagnostic) }
}

function writeSkill(signer: Signer, item: OpenedItem) {
  if (signer.format === 'v1') {
    throw new AppError('INVALID_INPUT', 'skills have no v1 signature: expected --format v2')
  }
  const files = new Map([...item.parts].map(([path, bytes]) => [path, sha256Hex(bytes)]))
  const signed = signSkill({ id: item.file.id, files }, signer.key, {
    timestamp: timestampOf(signer.workspace.library.now()),
  })
  const folder = dirname(item.file.path)
  atomicWrite(join(folder, SKILL_SIGNATURE), signed.bytes, {
    root: item.file.base,
    swept: signer.swept,
    makeFolders: false,
  })
  const warnings = [...restlessFolders(item.parts.keys()), ...[...item.parts].flatMap(hiddenIn)]
  return { signature: signed.signature, warnings }
}

/** Caches and repositories are part of what is signed, and other programs write to them. */
function restlessFolders(paths: Iterable<string>): string[] {
  const folders = new Set<string>()
  for (const path of paths) {
    const segments = path.split('/').slice(0, -1)
    const depth = segments.findIndex(segment => SKIPPED_FOLDERS.has(segment))
    if (depth !== -1) folders.add(segments.slice(0, depth + 1).join('/'))
  }
  return [...folders].map(
    folder => `${folder}: signed too, and any change in it makes the skill tampered; better remove it`,
  )
}

/** Images and other binary files of a skill have no text to misread. */
function hiddenIn([path, bytes]: readonly [string, Uint8Array]): string[] {
  if (!isUtf8(bytes) || bytes.includes(0)) return []
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

function printDiagnostic(found: Diagnostic): string {
  return `line ${found.line}, column ${found.column}: ${found.message}`
}
