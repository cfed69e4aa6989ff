// The command with which a person signs an item. It works as printed: if signing would replace another key's
// signature, it has the flag for that.
import { AppError } from '../base/index.ts'
import type { Extractors } from '../extract/index.ts'
import type { SignedType, Space } from '../item/index.ts'
import {
  foreignSignature,
  type MergeConflict,
  readMergeConflict,
  SIDECAR_MARKS,
  type TrustContext,
  type Verdict,
} from '../trust/index.ts'
import { findSigningKey } from '../user/index.ts'

export interface ToSign {
  readonly file: { readonly type: SignedType; readonly id: string; readonly space: Space }
  readonly verdict: Verdict
  readonly bytes: Uint8Array
  readonly detached?: Uint8Array | undefined
}

export interface Signers {
  readonly userSpace: string
  readonly keys: TrustContext['keys']
  /** The user's own fingerprint, for callers with many items. Read from the user space if absent. */
  readonly own?: string
}

export interface SignCommand {
  /** The command line as typed. */
  readonly command: string
  /** The flags after the item, each preceded by a blank. */
  readonly flags: string
  /** Signing would replace another key's signature, so an agent may not do it. */
  readonly isTakeOver: boolean
}

export function signCommand(item: ToSign, { userSpace, keys, own }: Signers): SignCommand {
  const { type, id, space } = item.file
  const isTakeOver = foreignSignature(item, own ?? ownFingerprint(userSpace), keys) !== undefined
  const flags = `${sourceFlag(space)}${isTakeOver ? ' --take-over' : ''}`
  return { command: `rye sign ${type}:${id}${flags}`, flags, isTakeOver }
}

/** Empty without a key, or with an unreadable one. */
export function ownFingerprint(userSpace: string): string {
  try {
    return findSigningKey(userSpace)?.fingerprint ?? ''
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    return ''
  }
}

interface Merged {
  readonly file: { readonly type: SignedType; readonly extension: string }
  readonly bytes: Uint8Array
}

/** The conflict that a merge left in the text of an item, if any. */
export function conflictOf(
  { extractors }: { readonly extractors: Extractors },
  { file, bytes }: Merged,
): MergeConflict {
  const format = extractors.get(file.type)?.signatureFormats.get(file.extension)
  return readMergeConflict(bytes, format ?? SIDECAR_MARKS)
}

/** For an item in which a merge left both signature lines: no other way of signing it is accepted. */
export function resolveCommand({ type, id, space }: ToSign['file']): Pick<SignCommand, 'command' | 'flags'> {
  const flags = `${sourceFlag(space)} --resolve`
  return { command: `rye sign ${type}:${id}${flags}`, flags }
}

/** The flag that `rye sign` needs to find an item in this space, preceded by a blank; may be empty. */
export function sourceFlag(space: Space): string {
  return space === 'user' ? ' --source user' : ''
}
