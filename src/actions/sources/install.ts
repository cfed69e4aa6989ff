// `install`: makes the space match its lock, or fails. Items in place are not fetched. Missing ones come from
// what was accepted on this machine, or from their source at the locked state, and only if their bytes match
// the lock. Whether items are trusted is reported separately; with `frozen`, when nobody is there to decide,
// an untrusted item is a failure.
import { join } from 'node:path'
import { countOf } from '../../base/index.ts'
import { stateAt } from '../../files/index.ts'
import type { LockedItem } from '../../sources/index.ts'
import { approvedVerdict } from '../../trust/approvals/index.ts'
import { fingerprintWords, SKILL_SIGNATURE, type TrustContext, type Verdict } from '../../trust/index.ts'
import { acceptedFiles, listOfferedKeys } from '../../user/index.ts'
import type { Workspace } from '../../workspace/index.ts'
import { type ActionContext, defineAction } from '../definition/action.ts'
import type { CallInput, Fields, InputOf } from '../definition/field-spec.ts'
import { projectPath } from '../definition/shared-fields.ts'
import { changeSpace } from './apply-change.ts'
import { type CheckedSpace, checkSpace } from './checked-space.ts'
import type { Place } from './fetch-missing.ts'
import { seconds, targetSpace } from './fields.ts'
import { keepPlaced } from './keep-placed.ts'
import { acceptedContent, idOfLocked, refOfLocked } from './locked-items.ts'
import { readPlaced } from './placed-items.ts'
import { allInPlace, type InstallPlan, installChange, planInstall } from './plan-install.ts'
import { lockPath, placeOf, readLock, splitName, type Target, targetOf } from './target.ts'

const INSTALL_FIELDS = {
  frozen: {
    type: 'boolean',
    about: 'fail unless every item is in place and trusted; the default where CI is set',
  },
  to: { ...targetSpace, about: 'the space whose lock it is' },
  timeout: seconds,
  project_path: projectPath,
} as const satisfies Fields

type Input = InputOf<typeof INSTALL_FIELDS>

const NOTHING_LOCKED = 'nothing is locked here: `rye add SOURCE` takes items and locks them'

export type InstallInput = CallInput<typeof INSTALL_FIELDS>

export interface InstallAnswer {
  readonly status: 'installed' | 'unchanged' | 'failed'
  /** `TYPE:ID` of the items that were put into place. */
  readonly written: readonly string[]
  /** Items that were put here for an earlier lock and are no longer locked. */
  readonly removed: readonly string[]
  /** How many were already in place. */
  readonly unchanged: number
  /** Changed here since they were taken, and left as they are. */
  readonly edited: readonly string[]
  /** In place but not usable here, with the key to trust. */
  readonly untrusted: readonly UntrustedItem[]
  readonly message: string
}

export interface UntrustedItem {
  readonly item: string
  readonly reason: string
  /** Fingerprint of the key that signed or accepted it. */
  readonly key?: string
  /** The owner, if the project offers the key. */
  readonly owner?: string
}

export const install = defineAction({
  name: 'install',
  description: 'Make the items of the lock be in place, byte for byte.',
  effects: { readOnly: false, destructive: false, openWorld: true },
  forPeople: true,
  fields: INSTALL_FIELDS,
  run: async (context, input): Promise<InstallAnswer> => {
    const workspace = await context.library.open(input.project_path)
    const target = targetOf(workspace, input.to)
    const { ci, CI = ci } = context.library.environment
    const frozen = input.frozen ?? (CI !== undefined && CI !== '' && CI !== 'false')
    const checked = await checkSpace(context.library, target)
    const { all, gone } = await putInPlace(context, { workspace, target, input }, checked)
    const missing = all.filter(({ state }) => state === 'missing')
    const edited = all.filter(({ state }) => state === 'edited').map(({ item }) => refOfLocked(item))
    const inPlace = all.filter(({ state }) => state !== 'edited').map(({ item }) => item)
    // Opened again, to see the new files.
    const now = await context.library.open(input.project_path)
    const isTrusted = checked.isTrusted(now.trust)
    const untrusted = isTrusted ? [] : await findUntrusted(now, input, inPlace)
    if (!isTrusted && all.every(({ state }) => state === 'in place'))
      checked.remember(untrusted.length === 0 ? now.trust : undefined)
    const fails = edited.length > 0 || (frozen && untrusted.length > 0)
    const written = missing.map(({ item }) => refOfLocked(item))
    return {
      status: fails ? 'failed' : written.length + gone.length > 0 ? 'installed' : 'unchanged',
      written,
      removed: gone.map(name => refOfLocked({ name })),
      unchanged: all.length - missing.length - edited.length,
      edited,
      untrusted,
      message:
        all.length + gone.length === 0
          ? NOTHING_LOCKED
          : messageOf({ edited, untrusted, to: input.to }, now.trust),
    }
  },
  exitStatus: answer => (answer.status === 'failed' ? 1 : 0),
})

/** Puts everything that is missing into place. */
function putInPlace(
  context: ActionContext,
  place: Omit<Place, 'kept'>,
  checked: CheckedSpace,
): Promise<InstallPlan> {
  const { library } = context
  const { target } = place
  return changeSpace(library, target, async (apply, state) => {
    const lock = readLock(target)
    const kept = acceptedFiles(library.userSpace)
    // Without a lock nothing is done: items that it named before it was deleted stay.
    const isSettled = checked.isUnchanged || !stateAt(lockPath(target))
    const plan = isSettled ? allInPlace(lock) : planInstall(target, lock, readPlaced(state))
    const isKept = (item: LockedItem) =>
      isSettled ? kept.has(item.digest) : acceptedContent(kept, item) !== undefined
    const placed = plan.all.filter(one => one.state === 'in place').map(({ item }) => item)
    const lost = placed.filter(item => !isKept(item))
    keepPlaced(kept, target, lost)
    const missing = plan.all.filter(one => one.state === 'missing')
    if (missing.length > 0 || plan.gone.length > 0) {
      const { missingFiles } = await import('./fetch-missing.ts')
      const contents = await missingFiles(context, { ...place, kept }, missing)
      apply({ ...installChange(target, contents, plan), lock })
    }
    return plan
  })
}

async function findUntrusted(
  workspace: Workspace,
  input: Input,
  items: readonly LockedItem[],
): Promise<UntrustedItem[]> {
  const target = targetOf(workspace, input.to)
  const offers = (await listOfferedKeys(workspace.projectPath)).keys
  return items.flatMap(item => {
    const verdict = judgePlaced(workspace, target, item)
    if (verdict.status === 'verified') return []
    const named = [item.accepted, item.signer, verdict.signer ?? undefined].filter(key => key !== undefined)
    const key = named.find(one => !workspace.trust.keys.has(one)) ?? named[0]
    const owner = key === undefined ? undefined : offers.get(key)?.owner
    const isKnown = key !== undefined && workspace.trust.keys.has(key)
    const reason =
      isKnown || key === undefined ? (verdict.reason ?? verdict.status) : `key ${key} is not trusted`
    return {
      item: refOfLocked(item),
      reason,
      ...(key !== undefined && { key }),
      ...(owner !== undefined && { owner }),
    }
  })
}

/**
 * The bytes of a skill were just compared with the lock, so a skill without a signature is looked up among
 * the approvals by its locked digest. Every other item is read, because a stranger may have written the
 * signer into the lock.
 */
function judgePlaced(workspace: Workspace, target: Target, item: LockedItem): Verdict {
  const { type } = splitName(item.name)
  const id = idOfLocked(item)
  const named = { type, id, root: target.base, name: item.name, digest: () => item.digest }
  const isBare = type === 'skill' && !stateAt(join(placeOf(target, item.name), SKILL_SIGNATURE))
  const approved = isBare ? approvedVerdict(named, workspace.trust) : undefined
  return approved ?? workspace.read(workspace.find({ type, id, space: target.space })).verdict
}

interface Found {
  readonly edited: readonly string[]
  readonly untrusted: readonly UntrustedItem[]
  readonly to: Target['space']
}

function messageOf(
  { edited, untrusted, to }: Found,
  { keys: trusted, revoked }: Pick<TrustContext, 'keys' | 'revoked'>,
): string {
  const at = to === 'user' ? '@user' : ''
  const flag = to === 'user' ? ' --to user' : ''
  if (edited.length > 0)
    return `different from the lock and from what was put here: ${edited.join(', ')}; compare with \`rye review ${edited[0]}${at}\`; once its files are removed, \`rye install${flag}\` brings what is locked`
  if (untrusted.length === 0) return 'every item is as it was locked, and trusted'
  const keys = untrusted.flatMap(({ key, owner }) =>
    key === undefined || trusted.has(key) ? [] : [[key, owner] as const],
  )
  const withdrawn = keys.find(([key]) => revoked.has(key))
  if (withdrawn)
    return `not usable: key ${withdrawn[0]} is revoked; take what another key signed with \`rye update${flag}\`, or look at each with \`rye review ${untrusted[0]!.item}${at}\` and accept it yourself`
  if (keys.length > 0) return strangersMessage(new Map(keys))
  const { item } = untrusted[0]!
  return `nobody whom you trust has accepted ${countOf(untrusted.length, 'item')}: look at each with \`rye review ${item}${at}\`, then accept it with \`rye add SOURCE${flag}\`; \`rye why ${item}${at}\` names the source`
}

/** The message about keys that are not trusted here, with owners where the project offers the keys. */
function strangersMessage(keys: ReadonlyMap<string, string | undefined>): string {
  const people = Array.from(
    keys,
    ([key, owner]) => `${key} (${fingerprintWords(key)})${owner === undefined ? '' : ` of ${owner}`}`,
  )
  const who = `not usable before you trust ${people.join(', ')}`
  const offered = [...keys].find(([, owner]) => owner !== undefined)
  if (offered) return `${who}: compare the words with its owner, then \`rye keys trust ${offered[0]}\``
  return `${who}: the project does not offer that key; ask its owner for the file, or for \`rye keys offer\`, then compare the words and trust it with \`rye keys trust FILE\``
}
