// `sign --resolve`: an item that two people edited in different places conflicts in its signature line alone. Without that
// conflict it is a text like any other, which whoever asks for it signs. Any other conflict is for them to settle first.
import { isUtf8 } from 'node:buffer'
import { type Extractor, extractItem } from '../../../extract/index.ts'
import type { ItemFile } from '../../../scan/index.ts'
import type { ResolvedEntry } from '../../../space/index.ts'
import { type MergeConflict, readMergeConflict, SIDECAR_MARKS } from '../../../trust/index.ts'
import type { OpenedItem, Workspace } from '../../../workspace/index.ts'
import { contentConflict } from './validate.ts'

type Found = ResolvedEntry<ItemFile>

/** The item as it is without the conflict; undefined when there is none. Throws `VALIDATION_FAILED` when there is another. */
export function withoutConflict(workspace: Workspace, found: Found): OpenedItem | undefined {
  const item = workspace.read(found)
  const { file, detached } = item
  const extractor = workspace.extractors.get(file.type)!
  for (const [path, part] of item.parts) {
    const conflict: MergeConflict = isUtf8(part) ? readMergeConflict(part, SIDECAR_MARKS) : { kind: 'none' }
    if (conflict.kind === 'content') throw contentConflict(path, conflict.line)
  }
  const own = readMergeConflict(item.bytes, extractor.signatureFormats.get(file.extension) ?? SIDECAR_MARKS)
  if (own.kind === 'content') throw contentConflict(file.path, own.line)
  if (own.kind === 'signature') return withBytes(item, own.bytes, extractor)
  // A signature in a file of its own is made anew whatever that holds: lists of files conflict along with the line.
  const apart = detached && readMergeConflict(detached, SIDECAR_MARKS)
  return apart && apart.kind !== 'none' ? withBytes(item, item.bytes, extractor) : undefined
}

/** As if it had been read so; unsigned, for whoever signed the sides did not sign this. */
function withBytes(item: OpenedItem, bytes: Uint8Array, extractor: Extractor): OpenedItem {
  const { id, extension } = item.file
  let parsed: ReturnType<OpenedItem['parse']> | undefined
  return {
    ...item,
    bytes: Buffer.from(bytes),
    verdict: {
      status: 'unsigned',
      format: null,
      coverage: null,
      hash: null,
      signer: null,
      timestamp: null,
      reason: 'merged from two signed versions',
    },
    parse() {
      parsed ??= extractItem(extractor, { id, extension, bytes })
      return parsed
    },
  }
}
