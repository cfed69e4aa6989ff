// The command by which a person signs an item. It is true as it stands: where signing would replace what another key signed, it says so.
import { AppError } from '../base/index.ts'
import type { SignedType, Space } from '../item/index.ts'
import { foreignSignature, type TrustContext, type Verdict } from '../trust/index.ts'
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
  const flags = `${space === 'user' ? ' --source user' : ''}${isTakeOver ? ' --take-over' : ''}`
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
