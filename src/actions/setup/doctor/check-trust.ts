// The user's key, the keys that the user trusts, and those that the project offers.
import { AppError, printHint, quoteShellWord } from '../../../base/index.ts'
import {
  findSigningKey,
  type KeyListing,
  listOfferedKeys,
  listOldKeys,
  listTrustedKeys,
} from '../../../user/index.ts'
import type { Workspace } from '../../../workspace/index.ts'
import type { Check } from './check.ts'

export function checkKey(workspace: Workspace): Check {
  try {
    const key = findSigningKey(workspace.library.userSpace)
    if (key) return { name: 'key', status: 'ok', message: key.fingerprint }
    return { name: 'key', status: 'note', message: 'you have no signing key', fix: 'rye keys generate' }
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    return {
      name: 'key',
      status: 'problem',
      message: thrown.message,
      ...(thrown.hint && { fix: printHint(thrown.hint, 'person') }),
    }
  }
}

export async function checkTrusted(workspace: Workspace): Promise<Check[]> {
  const { keys, faults } = await listTrustedKeys(workspace.library.userSpace)
  return [
    { name: 'trust', status: 'ok', message: `${keys.size} trusted key${keys.size === 1 ? '' : 's'}` },
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

export async function checkOffered(workspace: Workspace): Promise<Check[]> {
  const offered = await listOfferedKeys(workspace.projectPath)
  const old = await listOldKeys(workspace.library.userSpace)
  return [
    ...describeKeys(workspace, 'offered key', 'the project offers the key', offered),
    ...describeKeys(workspace, 'old key', 'the older system trusted the key', old),
  ]
}

function describeKeys(workspace: Workspace, name: string, says: string, listed: KeyListing): Check[] {
  return [...listed.keys.values()]
    .filter(key => !workspace.trust.keys.has(key.fingerprint))
    .map(key => ({
      name,
      status: 'note',
      message: `${says} ${key.fingerprint} of ${key.owner}; if you know it:`,
      fix: `rye keys trust ${quoteShellWord(key.path)}`,
    }))
}
