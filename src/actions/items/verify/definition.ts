// The verdict of items, named by reference, by file, or by any tree that contains `.ai/` folders.
import { resolve } from 'node:path'
import { AppError } from '../../../base/index.ts'
import { ITEM_TYPES } from '../../../item/index.ts'
import type { TrustContext, Verdict, VerdictStatus } from '../../../trust/index.ts'
import { readIdentityFile } from '../../../user/index.ts'
import { defineAction } from '../../definition/action.ts'
import { projectPath } from '../../definition/fields.ts'
import { collectSigned } from './collect-signed.ts'

const STATUSES: readonly VerdictStatus[] = ['verified', 'tampered', 'untrusted', 'unsigned', 'malformed']

export const verify = defineAction({
  name: 'verify',
  description: 'Check signatures of items, files or whole trees.',
  effects: { readOnly: true, destructive: false, openWorld: false },
  fields: {
    targets: {
      type: 'strings',
      about: 'ids, files or directories; without one, everything that the project sees',
      default: [],
      flag: { position: 'rest', value: 'ID|PATH|DIR' },
    },
    project_path: projectPath,
    item_type: {
      type: 'string',
      about: 'only this type',
      values: [...ITEM_TYPES, 'config'],
      flag: { name: 'type', value: 'T' },
    },
    trust: {
      type: 'strings',
      about: 'trust this key too, for this call',
      default: [],
      flag: { value: 'KEY.toml' },
    },
  },
  run: async (context, input) => {
    const opened = await context.library.open(input.project_path)
    const workspace = opened.trusting(await withKeys(opened.trust, input.trust))
    const items: (Verdict & { path: string; item_type: string; item_id: string })[] = []
    const found = collectSigned(workspace, input.targets, input.item_type)
    for (const [index, entry] of found.entries()) {
      context.signal.throwIfAborted()
      context.onProgress({ message: 'verifying', done: index, total: found.length })
      const { path, type, id } = entry.entry
      items.push({ path, item_type: type, item_id: id, ...verdictOf(() => workspace.read(entry).verdict) })
    }
    const counts = Object.fromEntries(
      STATUSES.map(status => [status, items.filter(item => item.status === status).length]),
    )
    return { items, counts }
  },
  exitStatus: answer => {
    // The shape that `run` returns above.
    const { counts } = answer as { counts: Record<VerdictStatus, number> }
    return (
      (counts.tampered + counts.malformed > 0 ? 1 : 0) +
      (counts.untrusted > 0 ? 2 : 0) +
      (counts.unsigned > 0 ? 4 : 0)
    )
  },
})

/** A file that cannot be read cannot be vouched for. */
function verdictOf(read: () => Verdict): Verdict {
  try {
    return read()
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    const nothing = { format: null, coverage: null, hash: null, signer: null, timestamp: null }
    return { status: 'malformed', ...nothing, reason: thrown.message }
  }
}

async function withKeys(trust: TrustContext, paths: readonly string[]): Promise<TrustContext> {
  const keys = new Map(trust.keys)
  for (const path of paths) {
    const identity = await readIdentityFile(resolve(path))
    keys.set(identity.fingerprint, identity)
  }
  return { ...trust, keys }
}
