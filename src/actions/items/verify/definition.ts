// Gives the verdicts on items, named by reference, by file, or by any tree that contains `.ai/` folders.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { AppError, commandOf, printHint } from '../../../base/index.ts'
import type { SignedType } from '../../../item/index.ts'
import type { TrustContext, Verdict, VerdictStatus } from '../../../trust/index.ts'
import { findKeyProblem, findSigningKey, readIdentityFile } from '../../../user/index.ts'
import { ownFingerprint, type Workspace } from '../../../workspace/index.ts'
import { type ActionContext, defineAction } from '../../definition/action.ts'
import type { CallInput, Fields, InputOf } from '../../definition/field-spec.ts'
import { resolvePath } from '../../definition/resolve-path.ts'
import { projectPath, SIGNED_TYPES } from '../../definition/shared-fields.ts'
import { collectAll, collectTarget } from './collect-signed.ts'

const VERIFY_FIELDS = {
  targets: {
    type: 'strings',
    about: 'ids, globs of ids, files or directories; without one, everything that the project sees',
    default: [],
    flag: { position: 'rest', value: 'ID|GLOB|PATH' },
  },
  project_path: projectPath,
  item_type: {
    type: 'string',
    about: 'only this type',
    values: SIGNED_TYPES,
    flag: { name: 'type', value: 'T' },
  },
  trust: {
    type: 'strings',
    about: 'trust this key too, for this call',
    default: [],
    flag: { value: 'KEY.toml' },
  },
} as const satisfies Fields

export type VerifyInput = CallInput<typeof VERIFY_FIELDS>

export interface VerifyAnswer {
  readonly items: readonly VerifiedItem[]
  readonly counts: Readonly<Record<VerdictStatus, number>>
}

export interface VerifiedItem extends Verdict {
  readonly path: string
  readonly item_type: SignedType
  readonly item_id: string
}

/** How many items are verified before others get their turn. */
const AT_ONCE = 50

export const verify = defineAction({
  name: 'verify',
  description: 'Check signatures of items, files or whole trees.',
  effects: { readOnly: true, destructive: false, openWorld: false },
  fields: VERIFY_FIELDS,
  run: async (context, input): Promise<VerifyAnswer> => {
    const opened = await context.library.open(input.project_path)
    const workspace = opened.trusting(await withKeys(context, opened.trust, input.trust))
    const items: VerifiedItem[] = []
    const found = collect(context, workspace, input)
    for (const [index, entry] of found.entries()) {
      context.signal.throwIfAborted()
      context.onProgress({ message: 'verifying', done: index, total: found.length })
      // A server has other calls to answer meanwhile.
      if (index % AT_ONCE === 0) await nextTurn()
      const { path, type, id } = entry.entry
      items.push({
        path,
        item_type: type,
        item_id: id,
        ...(await verdictOf(() => workspace.judge(workspace.read(entry)))),
      })
    }
    const own = ownFingerprint(workspace.library.userSpace)
    if (items.some(({ status, signer }) => status === 'untrusted' && signer === own))
      await tellOfOwnKey(context)
    return { items, counts: countStatuses(items) }
  },
  exitStatus: ({ counts }) =>
    (counts.tampered + counts.malformed > 0 ? 1 : 0) +
    (counts.untrusted > 0 ? 2 : 0) +
    (counts.unsigned > 0 ? 4 : 0),
})

/** Tells of a problem with the user's own key: then the key is at fault, and not the items. */
async function tellOfOwnKey({ library, caller, onNote }: ActionContext): Promise<void> {
  const key = findSigningKey(library.userSpace)
  const problem = key && (await findKeyProblem(library.userSpace, key, library.now()))
  if (problem) onNote(`${problem.message}; ${printHint(commandOf(...problem.fix), caller)}`)
}

function collect(context: ActionContext, workspace: Workspace, input: InputOf<typeof VERIFY_FIELDS>) {
  const { targets, item_type: type } = input
  if (targets.length === 0) return collectAll(workspace, type)
  return targets.flatMap(target => collectTarget(context, workspace, { target, type }))
}

function countStatuses(items: readonly VerifiedItem[]): Record<VerdictStatus, number> {
  const counts = { verified: 0, tampered: 0, untrusted: 0, unsigned: 0, malformed: 0 }
  for (const { status } of items) counts[status] += 1
  return counts
}

/** A file that cannot be read counts as malformed. */
async function verdictOf(read: () => Promise<Verdict>): Promise<Verdict> {
  try {
    return await read()
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    const nothing = { format: null, coverage: null, hash: null, signer: null, timestamp: null }
    return { status: 'malformed', ...nothing, reason: thrown.message }
  }
}

async function withKeys(
  context: ActionContext,
  trust: TrustContext,
  paths: readonly string[],
): Promise<TrustContext> {
  const keys = new Map(trust.keys)
  for (const path of paths) {
    const identity = await readIdentityFile(resolvePath(context, path))
    keys.set(identity.fingerprint, identity)
  }
  return { ...trust, keys }
}
