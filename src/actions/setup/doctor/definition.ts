// `rye doctor`: what is in order and what is not, each with the command that mends it. It changes nothing.
import { AppError } from '../../../base/index.ts'
import {
  findSigningKey,
  listOfferedKeys,
  listTrustedKeys,
  readReceipts,
  receiptsPath,
  userConfigPath,
} from '../../../user/index.ts'
import { openLiveIndex, openRunner, type Workspace } from '../../../workspace/index.ts'
import { type ActionContext, defineAction } from '../../definition/action.ts'
import { projectPath } from '../../definition/fields.ts'
import { type Check, checkItems, quote } from './check-items.ts'

export const doctor = defineAction({
  name: 'doctor',
  description:
    'Check the installation, keys, trust, index and items, with the command that mends each problem.',
  effects: { readOnly: true, destructive: false, openWorld: false },
  fields: { project_path: projectPath },
  run: async (context, input) => {
    const opened = await openOrExplain(context, input.project_path)
    const checks = [checkNode(), ...('check' in opened ? [opened.check] : await checkAll(context, opened))]
    return { checks, problems: checks.filter(check => check.status === 'problem').length }
  },
  // The shape that `run` returns above.
  exitStatus: answer => ((answer as { problems: number }).problems > 0 ? 1 : 0),
})

/** The user's settings may be what is wrong: then nothing else can be looked at. */
async function openOrExplain(
  context: ActionContext,
  projectPath: string,
): Promise<Workspace | { check: Check }> {
  try {
    return await context.library.open(projectPath)
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.code !== 'CONFIG_INVALID') throw thrown
    const path = quote(userConfigPath(context.library.userSpace))
    return {
      check: { name: 'settings', status: 'problem', message: thrown.message, mend: `mv ${path} ${path}.old` },
    }
  }
}

async function checkAll(context: ActionContext, workspace: Workspace): Promise<Check[]> {
  return [
    await checkPython(workspace),
    await checkIsolation(workspace),
    checkKey(workspace),
    ...(await checkTrusted(workspace)),
    ...(await checkOffered(workspace)),
    ...(await checkItems(context, workspace)),
    ...workspace.notes.map(checkExtractor),
    await checkIndex(context, workspace),
    ...checkReceipts(workspace),
    ...checkMode(workspace),
  ]
}

function checkNode(): Check {
  return { name: 'node', status: 'ok', message: process.versions.node }
}

async function checkPython(workspace: Workspace): Promise<Check> {
  const runner = await openRunner(workspace)
  const path = await runner.findInterpreter({ files: [], names: ['python3', 'python'], command: null })
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
        mend: `rm ${quote(path)}`,
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
      mend: `rye keys trust ${quote(key.path)}`,
    })
  }
  return checks
}

async function checkIndex(context: ActionContext, workspace: Workspace): Promise<Check> {
  const index = await openLiveIndex(workspace, { watch: false })
  const report = await index.refresh(workspace, { signal: context.signal })
  // Names that are passed over by rule are nobody's mistake, and duplicates have a check of their own.
  const skipped = report.diagnostics.filter(
    ({ code }) => code !== 'skipped-name' && code !== 'duplicate-id',
  ).length
  const message = `${report.items} items indexed${skipped > 0 ? `, ${skipped} files passed over` : ''}`
  return {
    name: 'index',
    status: skipped > 0 ? 'note' : 'ok',
    message,
    ...(skipped > 0 && { mend: 'rye index --json' }),
  }
}

function checkExtractor(note: Workspace['notes'][number]): Check {
  const ref = `tool:${note.item_id}`
  const sign = `rye sign ${ref}${note.space === 'user' ? ' --source user' : ''}`
  const mend = note.code === 'extractor-invalid' ? `rye show ${ref}@${note.space}` : sign
  return { name: 'extractor', status: 'problem', message: note.message, mend }
}

function checkReceipts({ projectPath: project }: Workspace): Check[] {
  const { faults } = readReceipts(project)
  if (faults.length === 0) return []
  const path = quote(receiptsPath(project))
  const lines = faults.map(({ line, fault }) => `line ${line} ${fault}`).join(', ')
  return [
    {
      name: 'receipts',
      status: 'problem',
      message: `the log of runs is broken: ${lines}`,
      mend: `mv ${path} ${path}.broken`,
    },
  ]
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
