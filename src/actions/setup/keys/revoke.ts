// Ends the trust in a key for good. If the private key is available, the revocation is signed and others can
// import it; revoking somebody else's key is only this user's decision.
import { dirname } from 'node:path'
import { AppError } from '../../../base/index.ts'
import { atomicWrite } from '../../../files/index.ts'
import { isFingerprint, printRevocation, type Revocation, revokeKey } from '../../../trust/index.ts'
import {
  findPrivateKey,
  listTrustedKeys,
  readRevocationFile,
  recordRevocation,
  removeTrustedKey,
} from '../../../user/index.ts'
import type { Library } from '../../../workspace/index.ts'
import { type ActionContext, defineAction } from '../../definition/action.ts'
import type { CallInput, Fields, InputOf } from '../../definition/field-spec.ts'
import { resolvePath } from '../../definition/resolve-path.ts'
import { timestampOf } from '../../items/sign/signer.ts'
import { chooseKey, listKnownKeys, noSuchKey } from './find-key.ts'

const REVOKE_FIELDS = {
  key: {
    type: 'string',
    about: 'which key: its fingerprint, at least 4 digits of it, or its owner',
    flag: { position: 'first', value: 'FINGERPRINT' },
  },
  reason: { type: 'string', about: 'why, for whoever meets the key', flag: { value: 'TEXT' } },
  out: {
    type: 'string',
    about: 'write the signed revocation of a key of yours to this new file, for others to import',
    flag: { value: 'FILE' },
  },
  import: {
    type: 'string',
    about: 'obey the revocation in this file, which its key signed',
    flag: { value: 'FILE' },
  },
} as const satisfies Fields

export type KeysRevokeInput = CallInput<typeof REVOKE_FIELDS>

export interface KeysRevokeAnswer {
  readonly status: 'revoked' | 'unchanged'
  readonly fingerprint: string
  readonly reason: string
  /** Whether the key itself signed the revocation: only that convinces others. */
  readonly signed: boolean
  /** The file with this user's record of the revocation. */
  readonly path: string
  /** The signed revocation (TOML). */
  readonly document?: string
  /** The file that the document was written to. */
  readonly out?: string
  readonly message: string
}

const MAX_REASON = 500

export const keysRevoke = defineAction({
  name: 'keys revoke',
  description: 'End the trust in a key for good, and make the revocation of your own for others to import.',
  effects: { readOnly: false, destructive: true, openWorld: false },
  forPeople: true,
  fields: REVOKE_FIELDS,
  run: async (context, input): Promise<KeysRevokeAnswer> => {
    const { library } = context
    if ((input.key === undefined) === (input.import === undefined))
      throw new AppError('INVALID_INPUT', 'expected a key or `import`, and not both')
    const revocation =
      input.import === undefined ? await decide(library, input) : await importFrom(context, input)
    const { fingerprint, reason, signed } = revocation
    if (input.out !== undefined && !signed) {
      throw new AppError('INVALID_INPUT', `only the owner of ${fingerprint} can sign its revocation`, {
        hint: 'leave out `out`: the key is then revoked for you alone',
      })
    }
    const { revoked } = await listTrustedKeys(library.userSpace)
    const before = revoked.get(fingerprint)
    const isKept = before?.document !== undefined && (before.document.signed !== undefined || !signed)
    const kept = isKept ? before.document! : revocation
    const document = kept.signed ? printRevocation(kept) : undefined
    const out = input.out === undefined ? undefined : resolvePath(context, input.out)
    if (out !== undefined && document !== undefined)
      atomicWrite(out, document, { root: dirname(out), mode: 0o644, expect: 'absent' })
    const path = isKept ? before.path : recordRevocation(library.userSpace, revocation)
    await forget(library.userSpace, fingerprint)
    return {
      status: isKept ? 'unchanged' : 'revoked',
      fingerprint,
      reason: isKept ? kept.reason : reason,
      signed: document !== undefined,
      path,
      ...(document !== undefined && { document }),
      ...(out !== undefined && { out }),
      message: messageFor(kept, isKept, out),
    }
  },
})

type Input = InputOf<typeof REVOKE_FIELDS>

/** Makes the revocation of a key that this user names. */
async function decide(library: Library, { key: name = '', reason = '' }: Input): Promise<Revocation> {
  if (reason.length > MAX_REASON)
    throw new AppError('INVALID_INPUT', `expected \`reason\` to have at most ${MAX_REASON} characters`)
  const { trusted, own } = await listKnownKeys(library)
  const chosen = chooseKey(name, [...trusted.values(), ...(own ? [own] : [])])
  // A key may be revoked before it is trusted, or again; then only its fingerprint identifies it.
  const fingerprint = chosen?.fingerprint ?? name
  if (!isFingerprint(fingerprint)) throw noSuchKey(name)
  const at = timestampOf(library.now())
  const key = findPrivateKey(library.userSpace, fingerprint)
  return key ? revokeKey(key, { at, reason }) : { fingerprint, at, reason }
}

async function importFrom(context: ActionContext, input: Input): Promise<Revocation> {
  const revocation = await readRevocationFile(resolvePath(context, input.import ?? ''))
  const { fingerprint, signed } = revocation
  if (!signed) {
    throw new AppError(
      'KEY_INVALID',
      `the revocation of ${fingerprint} is not signed: it is the decision of somebody else`,
      {
        hint: `to decide the same: rye keys revoke ${fingerprint}`,
      },
    )
  }
  const known = (await listTrustedKeys(context.library.userSpace)).keys.get(fingerprint)
  if (known && known.pem !== signed.pem)
    throw new AppError('KEY_INVALID', `the revocation is of another key with the fingerprint ${fingerprint}`)
  return revocation
}

async function forget(userSpace: string, fingerprint: string): Promise<void> {
  try {
    await removeTrustedKey(userSpace, fingerprint)
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.code !== 'KEY_MISSING') throw thrown
  }
}

function messageFor({ fingerprint, signed }: Revocation, isKept: boolean, out: string | undefined): string {
  const what = isKept ? 'it was revoked before' : 'nothing that it signed can be used any more'
  if (!signed) return `${what}, by you alone: its owner can sign a revocation that convinces others`
  if (out !== undefined) return `${what}; others obey the file with \`rye keys revoke --import FILE\``
  return `${what}; \`rye keys revoke ${fingerprint} --out FILE\` writes it for others to import`
}
