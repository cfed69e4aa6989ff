// `rye doctor`: what is in order and what is not, each with the command that mends it. It changes nothing.
import { AppError } from '../base/index.ts'
import { ITEM_TYPES } from '../item/index.ts'
import { findSigningKey, listOfferedKeys, listTrustedKeys } from '../store/index.ts'
import type { VerdictStatus } from '../trust/index.ts'
import { openLiveIndex, openRunner, type Workspace } from '../workspace/index.ts'
import { type ActionContext, defineAction } from './action.ts'
import { projectPath } from './fields.ts'

interface Check {
  readonly name: string
  readonly status: 'ok' | 'note' | 'problem'
  readonly message: string
  /** The command that mends it. */
  readonly mend?: string
}

const MOST_NAMED = 20

export const doctor = defineAction({
  name: 'doctor',
  description:
    'Check the installation, keys, trust, index and items, with the command that mends each problem.',
  effects: { readOnly: true, destructive: false, openWorld: false },
  fields: { project_path: projectPath },
  run: async (context, input) => {
    const workspace = await context.library.open(input.project_path)
    const checks = [
      checkNode(),
      await checkPython(workspace),
      await checkIsolation(workspace),
      checkKey(workspace),
      ...(await checkTrusted(workspace)),
      ...(await checkOffered(workspace)),
      ...checkItems(context, workspace),
      await checkIndex(context, workspace),
      ...workspace.notes.map(
        (note): Check => ({ name: 'extractor', status: 'problem', message: note.message }),
      ),
      ...checkMode(workspace),
    ]
    return { checks, problems: checks.filter(check => check.status === 'problem').length }
  },
  // The shape that `run` returns above.
  exitStatus: answer => ((answer as { problems: number }).problems > 0 ? 1 : 0),
})

function checkNode(): Check {
  return { name: 'node', status: 'ok', message: process.versions.node }
}

async function checkPython(workspace: Workspace): Promise<Check> {
  const runner = await openRunner(workspace)
  const path = await runner.resolveInterpreter({ files: [], names: ['python3', 'python'], command: null })
  if (path) return { name: 'python', status: 'ok', message: path }
  return {
    name: 'python',
    status: 'problem',
    message: 'no python3 on PATH: Python tools cannot run',
    mend: 'apt-get install python3',
  }
}

async function checkIsolation(workspace: Workspace): Promise<Check> {
  const isolation = await (await openRunner(workspace)).isolation()
  if (isolation === 'bubblewrap') return { name: 'isolation', status: 'ok', message: 'bubblewrap' }
  return {
    name: 'isolation',
    status: 'note',
    message: 'tools run without a sandbox, in process groups of their own',
    mend: 'apt-get install bubblewrap',
  }
}

function checkKey(workspace: Workspace): Check {
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
      ...(thrown.hint && { mend: thrown.hint }),
    }
  }
}

async function checkTrusted(workspace: Workspace): Promise<Check[]> {
  const { keys, faults } = await listTrustedKeys(workspace.library.userSpace)
  return [
    { name: 'trust', status: 'ok', message: `${keys.size} trusted key${keys.size === 1 ? '' : 's'}` },
    ...faults.map(
      ({ path, reason }): Check => ({
        name: 'trust',
        status: 'problem',
        message: `${path}: ${reason}`,
        mend: `rm ${path}`,
      }),
    ),
  ]
}

async function checkOffered(workspace: Workspace): Promise<Check[]> {
  const offered = await listOfferedKeys(workspace.projectPath)
  const checks: Check[] = []
  for (const key of offered.keys.values()) {
    if (workspace.trust.keys.has(key.fingerprint)) continue
    checks.push({
      name: 'offered key',
      status: 'note',
      message: `the project offers the key ${key.fingerprint} of ${key.owner}; if you know it:`,
      mend: `rye keys trust ${key.path}`,
    })
  }
  return checks
}

function checkItems(context: ActionContext, workspace: Workspace): Check[] {
  const { items, duplicates } = workspace.list(ITEM_TYPES)
  const refused: Record<Exclude<VerdictStatus, 'verified'>, string[]> = {
    unsigned: [],
    tampered: [],
    untrusted: [],
    malformed: [],
  }
  for (const [index, found] of items.entries()) {
    context.onProgress({ message: 'verifying', done: index, total: items.length })
    const { status } = readVerdict(workspace, found)
    if (status !== 'verified') refused[status].push(`${found.entry.type}:${found.entry.id}`)
  }
  const shadowed = items.filter(item => item.shadowedBy !== null)
  const bad = Object.entries(refused).flatMap(([status, refs]): Check[] =>
    refs.length === 0
      ? []
      : [
          {
            name: status,
            status: 'problem',
            message: `${refs.length} ${status}: ${refs.slice(0, MOST_NAMED).join(', ')}${refs.length > MOST_NAMED ? ' ...' : ''}`,
            mend:
              status === 'untrusted' ? 'rye keys trust KEY.toml' : `rye show ${refs[0]}; rye sign ${refs[0]}`,
          },
        ],
  )
  return [
    { name: 'items', status: 'ok', message: `${items.length} items` },
    ...bad,
    ...shadowed.map(
      ({ entry, shadowedBy }): Check => ({
        name: 'shadowed',
        status: 'note',
        message: `${entry.type}:${entry.id}@${entry.space} is shadowed by the ${shadowedBy?.space} space`,
        mend: `rye show ${entry.type}:${entry.id}@${entry.space}`,
      }),
    ),
    ...duplicates.map(
      ({ message, entry }): Check => ({
        name: 'duplicate',
        status: 'problem',
        message,
        mend: `rm ${entry.path}`,
      }),
    ),
  ]
}

function readVerdict(
  workspace: Workspace,
  found: Parameters<Workspace['read']>[0],
): { status: VerdictStatus } {
  try {
    return workspace.read(found).verdict
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    return { status: 'malformed' }
  }
}

async function checkIndex(context: ActionContext, workspace: Workspace): Promise<Check> {
  const index = await openLiveIndex(workspace, { watch: false })
  const report = await index.refresh(workspace, { signal: context.signal })
  const skipped = report.diagnostics.length
  const message = `${report.items} items indexed${skipped > 0 ? `, ${skipped} files passed over` : ''}`
  return {
    name: 'index',
    status: skipped > 0 ? 'note' : 'ok',
    message,
    ...(skipped > 0 && { mend: 'rye index --json' }),
  }
}

function checkMode(workspace: Workspace): Check[] {
  if (!workspace.library.devMode) return []
  return [
    {
      name: 'mode',
      status: 'note',
      message: 'RYE_DEV_MODE=1: unsigned items of the project are accepted',
      mend: 'unset RYE_DEV_MODE',
    },
  ]
}
