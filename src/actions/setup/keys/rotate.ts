// Replaces the signing key by a new one that the old one vouches for. Items that the old key signed, in this
// project and the user space, are signed again. An interrupted rotation is finished by running it again:
// nothing is lost, and both keys are trusted meanwhile.
import { AppError, commandOf } from '../../../base/index.ts'
import { describeKey, type SigningKey, vouchFor } from '../../../trust/index.ts'
import {
  beginRotation,
  findKeyProblem,
  finishRotation,
  getSigningKey,
  listTrustedKeys,
  trustedKeyPath,
  trustIdentity,
} from '../../../user/index.ts'
import type { Library, Workspace } from '../../../workspace/index.ts'
import { type ActionContext, defineAction } from '../../definition/action.ts'
import type { CallInput, Fields } from '../../definition/field-spec.ts'
import { projectPath } from '../../definition/shared-fields.ts'
import { signOne } from '../../items/sign/sign-one.ts'
import { type Signer, timestampOf } from '../../items/sign/signer.ts'
import { collectAll } from '../../items/verify/collect-signed.ts'
import { renewApprovals } from '../../sources/renew-approvals.ts'
import { targetOf } from '../../sources/target.ts'
import { ownerOf } from './find-key.ts'

const ROTATE_FIELDS = {
  project_path: projectPath,
  owner: { type: 'string', about: 'whose key it is; the same as before without it', flag: { value: 'NAME' } },
} as const satisfies Fields

export type KeysRotateInput = CallInput<typeof ROTATE_FIELDS>

export interface KeysRotateAnswer {
  readonly status: 'rotated'
  /** Fingerprint of the new key. */
  readonly fingerprint: string
  readonly owner: string
  /** Fingerprint of the old key; absent when only the last step of an interrupted rotation was left. */
  readonly previous?: string
  /** The document of the new key, including the old key's vouch, to hand to others. */
  readonly identity: string
  /** Items of the project and the user space that were signed again. */
  readonly signed: readonly string[]
  /**
   * How many approvals of other people's items were renewed with the new key. Files of these items stay as
   * they are.
   */
  readonly accepted: number
  /** Items with the old key's signature that were not signed again, and why. */
  readonly failed: readonly { readonly item: string; readonly error: string }[]
  readonly message: string
}

export const keysRotate = defineAction({
  name: 'keys rotate',
  description:
    'Replace your signing key by a new one that the old one vouches for, and sign again what the old one signed in the project and the user space.',
  effects: { readOnly: false, destructive: false, openWorld: false },
  forPeople: true,
  fields: ROTATE_FIELDS,
  run: async (context, input): Promise<KeysRotateAnswer> => {
    const { library } = context
    const { userSpace } = library
    // A missing project is an error before anything is written.
    await library.open(input.project_path)
    const isRevoked = await isOwnKeyRevoked(library)
    const rotation = beginRotation(userSpace)
    const { old, next } = rotation
    const before = (await listTrustedKeys(userSpace)).keys.get((old ?? next).fingerprint)
    const owner = input.owner?.trim() || before?.owner || ownerOf(library)
    const identity = describeKey(next.publicPem, owner)
    const vouch = old && !isRevoked ? vouchFor(identity.pem, old, timestampOf(library.now())) : undefined
    const { keys } = await listTrustedKeys(userSpace)
    if (!keys.has(next.fingerprint))
      await trustIdentity(userSpace, { ...identity, ...(vouch && { vouch }) }, { bounds: before?.bounds })
    const workspace = await library.open(input.project_path)
    const signed = old ? await signAgain(context, workspace, old, next) : { signed: [], failed: [] }
    const accepted = old ? await acceptAgain(workspace, old, next) : { accepted: 0, failed: [] }
    finishRotation(userSpace, rotation)
    return {
      status: 'rotated',
      fingerprint: next.fingerprint,
      owner: keys.get(next.fingerprint)?.owner ?? owner,
      ...(old && { previous: old.fingerprint }),
      identity: trustedKeyPath(userSpace, next.fingerprint),
      signed: signed.signed,
      accepted: accepted.accepted,
      failed: [...signed.failed, ...accepted.failed],
      message: messageFor(old, isRevoked),
    }
  },
  exitStatus: ({ failed }) => (failed.length > 0 ? 1 : 0),
})

/** Throws when the key cannot be used for any other reason, which must be fixed first. */
async function isOwnKeyRevoked({ userSpace, now }: Library): Promise<boolean> {
  const problem = await findKeyProblem(userSpace, getSigningKey(userSpace), now())
  if (problem === undefined || problem.kind === 'revoked') return problem !== undefined
  throw new AppError('KEY_INVALID', problem.message, { hint: commandOf(...problem.fix) })
}

/** Signs only items that verify: signing a changed item would vouch for the change. */
async function signAgain(
  context: ActionContext,
  workspace: Workspace,
  old: SigningKey,
  next: SigningKey,
): Promise<Pick<KeysRotateAnswer, 'signed' | 'failed'>> {
  const signed: string[] = []
  const failed: { item: string; error: string }[] = []
  // Nobody named these items, so one that is older than the version used before is not signed.
  const signer: Signer = {
    ...{ workspace, key: next, caller: 'person', isNamed: false, format: 'v2' },
    // They were reviewed when the old key signed them.
    reviewed: true,
    isAgain: true,
    swept: new Set(),
  }
  const all = collectAll(workspace).filter(({ entry }) => entry.space !== 'system')
  for (const [index, found] of all.entries()) {
    context.signal.throwIfAborted()
    context.onProgress({ message: 'signing', done: index, total: all.length })
    const item = `${found.entry.type}:${found.entry.id}@${found.entry.space}`
    try {
      // An item that cannot be read has no signer.
      const opened = workspace.tryRead(found)
      const { signer: by, status, reason, approved } = opened?.verdict ?? {}
      // An item that was only accepted is not ours to sign; `acceptAgain` renews its approval.
      if (!opened || approved || by !== old.fingerprint) continue
      if (status !== 'verified') {
        failed.push({ item, error: `it is ${status}: ${reason}` })
        continue
      }
      await signOne(signer, found, opened)
      signed.push(item)
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown
      failed.push({ item, error: thrown.message })
    }
  }
  return { signed, failed }
}

/** Renews the approvals in the project and in the user space. */
async function acceptAgain(
  workspace: Workspace,
  old: SigningKey,
  next: SigningKey,
): Promise<Pick<KeysRotateAnswer, 'accepted' | 'failed'>> {
  const failed: { item: string; error: string }[] = []
  let accepted = 0
  for (const space of ['project', 'user'] as const) {
    try {
      accepted += await renewApprovals(workspace.library, targetOf(workspace, space), { by: old, next })
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown
      failed.push({ item: `approvals of the ${space} space`, error: thrown.message })
    }
  }
  return { accepted, failed }
}

function messageFor(old: SigningKey | undefined, isRevoked: boolean): string {
  if (!old) return 'finished the rotation that was interrupted'
  if (isRevoked)
    return `made a new key; the old one, ${old.fingerprint}, is revoked, so it vouches for nothing`
  return (
    `made a new key, which the old one vouches for. ${old.fingerprint} stays trusted, so that other projects verify; ` +
    `sign those again with \`rye sign GLOB --take-over\`, then \`rye keys remove ${old.fingerprint}\`, or \`rye keys revoke\` if somebody else may have it`
  )
}
