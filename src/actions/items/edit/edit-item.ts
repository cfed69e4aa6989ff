// Edits a copy of an item without its signature, so the item stays valid until the new text is valid too.
// Text that does not validate goes back to the editor or is kept as a draft: nothing typed is lost.
import { basename, dirname, join } from 'node:path'
import { AppError, diffLines } from '../../../base/index.ts'
import { isHelper } from '../../../extract/index.ts'
import { atomicWrite, makeFolder, readFile, removeFile } from '../../../files/index.ts'
import { printRef } from '../../../item/index.ts'
import { type ItemFile, WALK_LIMITS } from '../../../scan/index.ts'
import type { ResolvedEntry } from '../../../space/index.ts'
import { bareContent, type SigningKey } from '../../../trust/index.ts'
import { findSigningKey } from '../../../user/index.ts'
import type { OpenedItem, Workspace } from '../../../workspace/index.ts'
import type { ActionContext } from '../../definition/action.ts'
import type { InputOf } from '../../definition/field-spec.ts'
import { findOwnItem } from '../change/own-item.ts'
import { warnOfKey } from '../sign/sign-items.ts'
import { signOne } from '../sign/sign-one.ts'
import type { Signer } from '../sign/signer.ts'
import { askForForeign, refuseForeign } from '../sign/take-over.ts'
import { validateForSigning } from '../sign/validate.ts'
import { withBytes } from '../sign/with-bytes.ts'
import type { EDIT_FIELDS, EditAnswer } from './fields.ts'

export async function editItem(
  context: ActionContext,
  input: InputOf<typeof EDIT_FIELDS>,
): Promise<EditAnswer> {
  const { library } = context
  const workspace = await library.open(input.project_path)
  const found = findOwnItem(workspace, input, 'edited')
  const key = findSigningKey(library.userSpace)
  const warning = key && (await warnOfKey(context, key))
  const allowed = key
    ? (await askForForeign(context, { workspace, key }, [found], input.take_over === true)).get(found)
    : undefined
  const item = allowed ?? workspace.read(found)
  if (key && !allowed) refuseForeign({ workspace, key }, item)
  const before = bareText(workspace, item)
  const draft = draftPath(workspace, item, before)
  const root = dirname(draft)
  atomicWrite(draft, before, { root, mode: 0o600 })
  const bytes = await editUntilValid(context, workspace, item, draft)
  const answer = { item_type: item.file.type, item_id: item.file.id, path: item.file.path }
  const diff = diffLines(before.toString('utf8'), bytes.toString('utf8'))
  if (Buffer.compare(before, bytes) === 0) {
    removeFile(draft, { root })
    const signed = item.verdict.status === 'verified'
    return { status: 'unchanged', ...answer, signed, diff: [], warnings: [] }
  }
  const warnings = await save(workspace, key, { item, found, bytes, draft })
  removeFile(draft, { root })
  return {
    status: 'edited',
    ...answer,
    signed: key !== undefined,
    diff,
    warnings: [...(warning ? [warning] : []), ...warnings],
  }
}

/**
 * A helper file, which tools beside it import, may be signed without declaring a tool. An item that was a
 * tool would never run again.
 */
const NO_TOOL = 'it no longer declares a tool'

/** Text that does not validate goes back to the editor if the person says so, or stays as a draft. */
async function editUntilValid(
  context: ActionContext,
  workspace: Workspace,
  item: OpenedItem,
  draft: string,
): Promise<Buffer> {
  const extractor = workspace.extractors.get(item.file.type)!
  const wasHelper = isHelper(await item.parse())
  for (;;) {
    await openEditor(context, draft)
    const read = readFile(draft, { maxBytes: WALK_LIMITS.fileBytes })
    if (!read) throw new AppError('FILE_UNREADABLE', `the editor removed \`${draft}\`: nothing was changed`)
    try {
      const edited = withBytes(item, read.bytes, extractor, 'edited')
      const { isHelperFile } = await validateForSigning(workspace, edited)
      if (isHelperFile && !wasHelper) throw new AppError('VALIDATION_FAILED', NO_TOOL)
      return read.bytes
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown
      const issues = Array.isArray(thrown.details.issues)
        ? thrown.details.issues.map(String)
        : [thrown.message]
      const text = [
        'It cannot be signed like this:',
        ...issues.map(issue => `  ${issue}`),
        'Edit it again?',
      ].join('\n')
      if (await context.confirm?.({ text, subject: draft })) continue
      throw new AppError(
        'VALIDATION_FAILED',
        `${printRef({ type: item.file.type, id: item.file.id })} is not changed: what you typed cannot be signed`,
        {
          hint: `what you typed is in \`${draft}\``,
          details: { issues, draft },
        },
      )
    }
  }
}

/** Started as git does it: the variable may hold arguments, so a shell reads it. */
async function openEditor({ library, runProgram }: ActionContext, path: string): Promise<void> {
  if (!runProgram) throw new AppError('NOT_AVAILABLE', 'an editor is opened for a person at a terminal')
  const { VISUAL, EDITOR } = library.environment
  const editor = VISUAL || EDITOR || 'vi'
  const { status, errors } = await runProgram({
    command: 'sh',
    args: ['-c', `${editor} "$@"`, editor, path],
    directory: dirname(path),
    atTerminal: true,
  })
  if (status === 0) return
  const end =
    status === null && errors !== '' ? `was not started: ${errors}` : `ended with ${status ?? 'a signal'}`
  throw new AppError('EXECUTION_FAILED', `the editor \`${editor}\` ${end}; nothing was changed`, {
    hint: `choose another with EDITOR=...; the text is in \`${path}\``,
  })
}

interface Edited {
  readonly item: OpenedItem
  readonly found: ResolvedEntry<ItemFile>
  readonly bytes: Buffer
  readonly draft: string
}

/** A signature that belongs in the file is written in the same write. Returns warnings. */
async function save(
  workspace: Workspace,
  key: SigningKey | undefined,
  edited: Edited,
): Promise<readonly string[]> {
  const { item, found, bytes, draft } = edited
  const { file } = item
  const extractor = workspace.extractors.get(file.type)!
  const now = readFile(file.path, { maxBytes: WALK_LIMITS.fileBytes, root: file.base })
  if (!now || Buffer.compare(now.bytes, item.bytes) !== 0)
    throw new AppError('WRITE_FAILED', `\`${file.path}\` changed while it was edited`, {
      hint: `what you typed is in \`${draft}\``,
    })
  const signer = (named: SigningKey): Signer => {
    return { workspace, key: named, caller: 'person', isNamed: true, format: 'v2', swept: new Set() }
  }
  const isInline = file.type !== 'skill' && !extractor.signatureFormats.get(file.extension)?.detached
  if (key && isInline)
    return (await signOne(signer(key), found, withBytes(item, bytes, extractor, 'edited'))).warnings
  atomicWrite(file.path, bytes, { root: file.base })
  if (!key) return ['it is not signed: you have no key; make one with `rye keys generate`']
  return (await signOne(signer(key), found, workspace.read(workspace.find(requestOf(item))))).warnings
}

function requestOf({ file: { type, id, space } }: OpenedItem) {
  return { type, id, space }
}

/** What the editor shows: the text without its signature. */
function bareText(workspace: Workspace, { file, bytes }: OpenedItem): Buffer {
  const { type, id, extension } = file
  const format =
    type === 'skill' ? undefined : workspace.extractors.get(type)?.signatureFormats.get(extension)
  return Buffer.from(format ? bareContent({ type, id, root: file.base, extension, bytes, format }) : bytes)
}

/**
 * Keeps the file name, by which editors choose their colours. A draft of an earlier edit is not overwritten.
 */
function draftPath({ library, projectPath }: Workspace, { file }: OpenedItem, before: Buffer): string {
  const state = library.states.make(file.space === 'user' ? library.userSpace : projectPath).path
  const name = `${file.type}-${file.id.replaceAll('/', '-')}`
  for (let count = 1; ; count++) {
    const folder = join(state, 'drafts', count === 1 ? name : `${name}.${count}`)
    makeFolder(folder, { root: state, folderMode: 0o700 })
    const draft = join(folder, basename(file.path))
    const kept = readFile(draft, { maxBytes: WALK_LIMITS.fileBytes })
    if (!kept || Buffer.compare(kept.bytes, before) === 0) return draft
  }
}
