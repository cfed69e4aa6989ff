// Checks the user's key, the keys that the user trusts, and those that the project offers.
import { AppError, countOf, printHint, quoteShellWord } from '../../../base/index.ts'
import { describeBounds, fingerprintWords, isExpired } from '../../../trust/index.ts'
import {
  findKeyProblem,
  getSigningKey,
  type KeyListing,
  listApprovals,
  listOfferedKeys,
  listOldKeys,
  listTrustedKeys,
  userSpaceProblem,
} from '../../../user/index.ts'
import type { Workspace } from '../../../workspace/index.ts'
import type { Check } from './check.ts'

/** Having no key is not a problem: not everybody signs. */
export async function checkKey({ library }: Workspace): Promise<Check> {
  try {
    const key = getSigningKey(library.userSpace)
    const problem = await findKeyProblem(library.userSpace, key, library.now())
    if (!problem) return { name: 'key', status: 'ok', message: key.fingerprint }
    return { name: 'key', status: 'problem', message: problem.message, fix: `rye ${problem.fix[1]}` }
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    const { code, message, hint } = thrown
    // If the key cannot be stored, another check says what to do first.
    const fix = userSpaceProblem(library.userSpace) ? {} : { fix: 'rye keys generate' }
    if (code === 'KEY_MISSING') return { name: 'key', status: 'note', message, ...fix }
    return { name: 'key', status: 'problem', message, ...(hint && { fix: printHint(hint, 'person') }) }
  }
}

export async function checkTrusted({ library }: Workspace): Promise<Check[]> {
  const { keys, revoked, faults } = await listTrustedKeys(library.userSpace)
  const now = library.now()
  const over = [...keys.values()].filter(({ bounds }) => bounds && isExpired(bounds, now))
  const revocations = revoked.size > 0 ? `, ${revoked.size} revoked` : ''
  return [
    {
      name: 'trust',
      status: 'ok',
      message: `${countOf(keys.size, 'trusted key')}${revocations}`,
    },
    ...over.map(
      ({ fingerprint, bounds }): Check => ({
        name: 'trust',
        status: 'note',
        message: `key ${fingerprint} was trusted ${describeBounds(bounds!)}, which is over`,
        fix: `rye keys remove ${fingerprint}`,
      }),
    ),
    ...faults.map(
      ({ path, reason }): Check => ({
        name: 'trust',
        status: 'problem',
        message: `${path}: ${reason}`,
        fix: `rm ${quoteShellWord(path)}`,
      }),
    ),
  ]
}

/** Approvals by people whom the user does not trust have no effect here. */
export function checkApprovals({ projectPath, trust }: Workspace): Check[] {
  const { faults } = listApprovals(projectPath, trust)
  return faults.map(({ path, reason }) => ({
    name: 'approvals',
    status: 'note',
    message: `what ${path} accepts is not usable here: ${reason}`,
  }))
}

export async function checkOffered(workspace: Workspace): Promise<Check[]> {
  const offered = await listOfferedKeys(workspace.projectPath)
  const old = await listOldKeys(workspace.library.userSpace)
  return [
    ...describeKeys(workspace, 'offered key', 'the project offers the key', offered),
    ...describeKeys(workspace, 'old key', 'the older system trusted the key', old),
  ]
}

function describeKeys({ trust }: Workspace, name: string, says: string, listed: KeyListing): Check[] {
  return [...listed.keys.values()]
    .filter(({ fingerprint }) => !trust.keys.has(fingerprint) && !trust.revoked.has(fingerprint))
    .map(key => ({
      name,
      status: 'note',
      message: `${says} ${key.fingerprint} (${fingerprintWords(key.fingerprint)}) of ${key.owner}; if you know it:`,
      fix: `rye keys trust ${quoteShellWord(key.path)}`,
    }))
}
