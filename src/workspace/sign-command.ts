// The command by which a person signs an item. It is true as it stands: where signing would replace what another key signed, it says so.
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
  /** The fingerprint of the user's own key, where many items are asked about; else it is read from the user space. */
  readonly own?: string
}

export interface SignCommand {
  /** As it is typed. */
  readonly command: string
  /** What follows the item in it, with a blank before each. */
  readonly flags: string
  /** An agent may not sign it. */
  readonly isTakeOver: boolean
}

export function signCommand(item: ToSign, { userSpace, keys, own }: Signers): SignCommand {
  const { type, id, space } = item.file
  const isTakeOver = foreignSignature(item, own ?? ownFingerprint(userSpace), keys) !== undefined
  const flags = `${sourceFlag(space)}${isTakeOver ? ' --take-over' : ''}`
  return { command: `rye sign ${type}:${id}${flags}`, flags, isTakeOver }
}

/** Nobody's without a key, or with one that cannot be read. */
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

/** What a merge left in the text of an item. */
export function conflictOf(
  { extractors }: { readonly extractors: Extractors },
  { file, bytes }: Merged,
): MergeConflict {
  const format = extractors.get(file.type)?.signatureFormats.get(file.extension)
  return readMergeConflict(bytes, format ?? SIDECAR_MARKS)
}

/** For one whose signature lines of both sides a merge left: any other way to sign it is refused. */
export function resolveCommand({ type, id, space }: ToSign['file']): Pick<SignCommand, 'command' | 'flags'> {
  const flags = `${sourceFlag(space)} --resolve`
  return { command: `rye sign ${type}:${id}${flags}`, flags }
}

/** What `rye sign` needs to find an item of this space, with a blank before it. */
export function sourceFlag(space: Space): string {
  return space === 'user' ? ' --source user' : ''
}
