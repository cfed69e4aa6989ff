// The user's key, the keys that the user trusts, and those that the project offers.
import { AppError, printHint } from '../../../base/index.ts'
import { findSigningKey, listOfferedKeys, listTrustedKeys } from '../../../user/index.ts'
import type { Workspace } from '../../../workspace/index.ts'
import { type Check, quote } from './check.ts'

export function checkKey(workspace: Workspace): Check {
  try {
    const key = findSigningKey(workspace.library.userSpace)
    if (key) return { name: 'key', status: 'ok', message: key.fingerprint }
    return { name: 'key', status: 'note', message: 'you have no signing key', mend: 'rye keys generate' }
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    return {
      name: 'key',
      status: 'problem',
      message: thrown.message,
      ...(thrown.hint && { mend: printHint(thrown.hint, 'person') }),
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
        mend: `rm ${quote(path)}`,
      }),
    ),
  ]
}

export async function checkOffered(workspace: Workspace): Promise<Check[]> {
  const offered = await listOfferedKeys(workspace.projectPath)
  const checks: Check[] = []
  for (const key of offered.keys.values()) {
    if (workspace.trust.keys.has(key.fingerprint)) continue
    checks.push({
      name: 'offered key',
      status: 'note',
      message: `the project offers the key ${key.fingerprint} of ${key.owner}; if you know it:`,
      mend: `rye keys trust ${quote(key.path)}`,
    })
  }
  return checks
}
