// `sign --resolve`: an item that two people edited in different places conflicts only in its signature line.
// This removes that conflict, so that the merged text can be signed. Any other conflict must be resolved
// first.
import { isUtf8 } from 'node:buffer'
import type { ItemFile } from '../../../scan/index.ts'
import type { ResolvedEntry } from '../../../space/index.ts'
import { type MergeConflict, readMergeConflict, SIDECAR_MARKS } from '../../../trust/index.ts'
import type { OpenedItem, Workspace } from '../../../workspace/index.ts'
import { contentConflict } from './validate.ts'
import { withBytes } from './with-bytes.ts'

type Found = ResolvedEntry<ItemFile>

const MERGED = 'merged from two signed versions'

/**
 * The item without the conflict in its signature. Undefined if it has none. Throws `VALIDATION_FAILED` if
 * there is another conflict.
 */
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
  if (own.kind === 'signature') return withBytes(item, own.bytes, extractor, MERGED)
  // A detached signature is made anew whatever it holds: its list of files conflicts along with its line.
  const apart = detached && readMergeConflict(detached, SIDECAR_MARKS)
  return apart && apart.kind !== 'none' ? withBytes(item, item.bytes, extractor, MERGED) : undefined
}
