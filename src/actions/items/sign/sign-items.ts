// Signing: validate by the extractor's rules, compute, write durably. One item, or all that a pattern matches;
// a batch goes on after a failure and reports each.
import { isUtf8 } from 'node:buffer'
import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AppError, type Diagnostic, escapeHidden, sha256Hex } from '../../../base/index.ts'
import { validateItem } from '../../../extract/index.ts'
import { atomicWrite } from '../../../files/index.ts'
import {
  ITEM_TYPES,
  isGlob,
  isItemType,
  matchesGlob,
  nameOf,
  parseRef,
  printRef,
  type SignedType,
  type Space,
} from '../../../item/index.ts'
import type { ItemFile } from '../../../scan/index.ts'
import type { ResolvedEntry } from '../../../space/index.ts'
import { findHiddenText, type SigningKey, SKILL_SIGNATURE, sign, signSkill } from '../../../trust/index.ts'
import { getSigningKey } from '../../../user/index.ts'
import { joinRef, type OpenedItem, type Workspace } from '../../../workspace/index.ts'
import type { ActionContext } from '../../definition/action.ts'

export interface SignInput {
  readonly item_id: string
  readonly item_type?: SignedType
  readonly project_path: string
  readonly source: 'project' | 'user'
  readonly location?: 'project' | 'user'
  readonly category?: string
  readonly format: 'v1' | 'v2'
}

interface Signer {
  readonly workspace: Workspace
  readonly key: SigningKey
  readonly format: 'v1' | 'v2'
  /** Folders swept of old temporaries in this batch. */
  readonly swept: Set<string>
}

/** Names that lie in tool folders and are no tools: `rye sign '*'` passes them over. */
const NOT_ITEMS = new Set(['package', 'package-lock', 'pnpm-lock', 'tsconfig'])
const BUILD_FOLDERS = new Set(['dist', 'build', '.ruff_cache', '.pytest_cache', '.mypy_cache'])

export async function signItems(context: ActionContext, input: SignInput): Promise<object> {
  const { library } = context
  if (context.caller === 'agent' && (await library.policy()).mcp.sign === 'deny') {
    throw new AppError('POLICY_DENIED', 'signing through MCP is denied by the user', {
      hint: `a person can run: rye sign ${input.item_id}`,
    })
  }
  const workspace = await library.open(input.project_path)
  const key = getSigningKey(library.userSpace)
  const signer: Signer = { workspace, key, format: input.format, swept: new Set() }
  const space = input.location ?? input.source
  const wanted = readWanted(input)
  if (isGlob(wanted.id)) return signBatch(context, signer, { ...wanted, space })
  return signOne(signer, findOne(workspace, wanted, space))
}

interface Wanted {
  /** An id, with `@space` perhaps, or a pattern. */
  readonly id: string
  readonly type: SignedType | undefined
}

/** `tool:deploy/*` names its type, as a reference does; a category stands before a bare name. */
function readWanted({ item_id, item_type, category }: SignInput): Wanted {
  const prefix = [...ITEM_TYPES, 'config' as const].find(type => item_id.startsWith(`${type}:`))
  if (prefix && item_type && prefix !== item_type) {
    throw new AppError('INVALID_INPUT', `\`${item_id}\` and the type \`${item_type}\` contradict each other`)
  }
  const bare = prefix ? item_id.slice(prefix.length + 1) : item_id
  const id = category && !bare.startsWith(`${category}/`) ? `${category}/${bare}` : bare
  return { id, type: prefix ?? item_type }
}

function findOne(workspace: Workspace, { id, type }: Wanted, space: Space): ResolvedEntry<ItemFile> {
  const ref = parseRef(id)
  if (ref.space === 'system') {
    throw new AppError('SPACE_IMMUTABLE', 'system items are immutable and cannot be signed', {
      hint: `copy it first: rye load ${printRef({ ...ref, ...(isItemType(type) && { type }) })} --to project`,
    })
  }
  return workspace.find(joinRef(ref, type, ref.space ?? space))
}

async function signOne(signer: Signer, found: ResolvedEntry<ItemFile>): Promise<object> {
  const item = signer.workspace.read(found)
  const noticed = await validate(signer.workspace, item)
  const { file } = item
  const { signature, warnings } = file.type === 'skill' ? writeSkill(signer, item) : writeItem(signer, item)
  return {
    status: 'signed',
    item_type: file.type,
    item_id: file.id,
    path: file.path,
    location: file.space,
    signature: {
      timestamp: signature.timestamp,
      hash: signature.hash,
      ed25519_sig: signature.encoded,
      pubkey_fp: signature.fingerprint,
      format: file.type === 'skill' ? 'v2' : signer.format,
    },
    warnings: [...noticed, ...warnings],
    message: `${MESSAGES[file.type]} validated and signed.`,
  }
}

const MESSAGES: Record<SignedType, string> = {
  directive: 'Directive',
  tool: 'Tool',
  knowledge: 'Knowledge entry',
  skill: 'Skill',
  config: 'Config',
}

/** What is left to say of an item that may be signed. */
async function validate(workspace: Workspace, item: OpenedItem): Promise<string[]> {
  const extractor = workspace.extractors.get(item.file.type)
  if (!extractor) throw new Error(`unreachable: no extractor for ${item.file.type}`)
  const parsed = await item.parse()
  const [faults, warnings] = (['error', 'warning'] as const).map(severity =>
    parsed.diagnostics.filter(found => found.severity === severity).map(printDiagnostic),
  )
  const issues = [...faults!, ...validateItem(extractor, parsed).map(issue => issue.message)]
  if (issues.length === 0) return warnings!
  throw new AppError(
    'VALIDATION_FAILED',
    `Validation failed: \`${item.file.path}\`: ${issues.length} to mend`,
    {
      hint: `mend these and sign again: ${issues[0]}`,
      details: { issues, path: item.file.path },
    },
  )
}

function writeItem(signer: Signer, item: OpenedItem) {
  const { file } = item
  const format = signer.workspace.extractors.get(file.type)?.signatureFormats.get(file.extension)
  if (!format) throw new Error(`unreachable: no signature format for ${file.type} ${file.extension}`)
  const signed = sign({ type: file.type, id: file.id, bytes: item.bytes, format }, signer.key, {
    timestamp: timestampOf(signer),
    format: signer.format,
  })
  const options = { root: rootOf(signer, file), swept: signer.swept }
  refuseChanged(item)
  if (signed.detached) atomicWrite(`${file.path}.sig`, signed.detached, options)
  else atomicWrite(file.path, signed.bytes, options)
  return { signature: signed.signature, warnings: signed.warnings.map(printDiagnostic) }
}

function writeSkill(signer: Signer, item: OpenedItem) {
  if (signer.format === 'v1') {
    throw new AppError('INVALID_INPUT', 'the Python system has no skills: expected --format v2')
  }
  const files = new Map([...item.parts].map(([path, bytes]) => [path, sha256Hex(bytes)]))
  const signed = signSkill({ id: item.file.id, files }, signer.key, { timestamp: timestampOf(signer) })
  const folder = dirname(item.file.path)
  atomicWrite(join(folder, SKILL_SIGNATURE), signed.bytes, {
    root: rootOf(signer, item.file),
    swept: signer.swept,
  })
  return { signature: signed.signature, warnings: [...item.parts].flatMap(hiddenIn) }
}

/** Pictures and other data of a skill are no text that somebody could misread. */
function hiddenIn([path, bytes]: readonly [string, Uint8Array]): string[] {
  if (!isUtf8(bytes) || bytes.includes(0)) return []
  return findHiddenText(bytes).map(found => `${path}: ${printDiagnostic(found)}`)
}

/** An edit made while we signed must not be lost under the old text. */
function refuseChanged(item: OpenedItem): void {
  const now = statSync(item.file.path, { throwIfNoEntry: false })
  if (now && now.size === item.bytes.length && now.mtimeMs === item.readAt.mtimeMs) return
  throw new AppError('WRITE_FAILED', `\`${item.file.path}\` changed while it was signed`, {
    hint: 'sign it again',
  })
}

function rootOf(signer: Signer, file: ItemFile): string {
  return file.space === 'user' ? signer.workspace.library.userSpace : signer.workspace.projectPath
}

function timestampOf(signer: Signer): string {
  return `${signer.workspace.library.now().toISOString().slice(0, 19)}Z`
}

async function signBatch(
  context: ActionContext,
  signer: Signer,
  wanted: Wanted & { readonly space: Space },
): Promise<object> {
  const { id: pattern, type } = wanted
  const types: readonly SignedType[] = type ? [type] : ITEM_TYPES
  const matches = signer.workspace
    .list(types)
    .items.filter(
      ({ entry }) => entry.space === wanted.space && isCandidate(entry.id) && matchesGlob(pattern, entry.id),
    )
  if (matches.length === 0) {
    const shown = escapeHidden(pattern, { oneLine: true })
    throw new AppError('ITEM_NOT_FOUND', `No ${type ?? 'item'}s found matching pattern: ${shown}`, {
      hint: `looked in the ${wanted.space} space; list items with \`rye list\``,
    })
  }
  const signed: string[] = []
  const failed: object[] = []
  for (const [index, found] of matches.entries()) {
    context.signal.throwIfAborted()
    context.onProgress({ message: 'signing', done: index, total: matches.length })
    try {
      await signOne(signer, found)
      signed.push(found.entry.id)
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown
      failed.push({ item: found.entry.id, error: thrown.message, details: thrown.details.issues ?? [] })
    }
  }
  const summary = `Signed ${signed.length}/${matches.length} items${failed.length > 0 ? `, ${failed.length} failed` : ''}`
  return { status: 'completed', signed, failed, total: matches.length, summary }
}

function isCandidate(id: string): boolean {
  return !NOT_ITEMS.has(nameOf(id)) && !id.split('/').some(segment => BUILD_FOLDERS.has(segment))
}

function printDiagnostic(found: Diagnostic): string {
  return `line ${found.line}, column ${found.column}: ${found.message}`
}
