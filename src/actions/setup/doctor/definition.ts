// `rye doctor`: reports what is in order and what is not, each problem with the command that fixes it.
// Changes nothing.
import { AppError, quoteShellWord } from '../../../base/index.ts'
import { userConfigPath } from '../../../user/index.ts'
import type { Workspace } from '../../../workspace/index.ts'
import { type ActionContext, defineAction } from '../../definition/action.ts'
import type { CallInput, Fields } from '../../definition/field-spec.ts'
import { projectPath } from '../../definition/shared-fields.ts'
import type { Check } from './check.ts'
import { checkItems } from './check-items.ts'
import { checkLocks } from './check-lock.ts'
import { checkBash, checkGuards, checkIsolation, checkNode, checkPython } from './check-machine.ts'
import {
  checkExtractor,
  checkIndex,
  checkMeaning,
  checkMode,
  checkPlaces,
  checkReceipts,
  checkUsed,
} from './check-state.ts'
import { checkApprovals, checkKey, checkOffered, checkTrusted } from './check-trust.ts'

const DOCTOR_FIELDS = { project_path: projectPath } as const satisfies Fields

export type DoctorInput = CallInput<typeof DOCTOR_FIELDS>

export interface DoctorAnswer {
  readonly checks: readonly Check[]
  readonly problems: number
}

export const doctor = defineAction({
  name: 'doctor',
  description:
    'Check the installation, keys, trust, index and items, with the command that fixes each problem.',
  effects: { readOnly: true, destructive: false, openWorld: false },
  fields: DOCTOR_FIELDS,
  run: async (context, input): Promise<DoctorAnswer> => {
    const opened = await openOrExplain(context, input.project_path)
    const checks = [checkNode(), ...('check' in opened ? [opened.check] : await checkAll(context, opened))]
    return { checks, problems: checks.filter(check => check.status === 'problem').length }
  },
  exitStatus: answer => (answer.problems > 0 ? 1 : 0),
})

/** If the user's settings are wrong, nothing else can be checked. */
async function openOrExplain(
  context: ActionContext,
  projectPath: string,
): Promise<Workspace | { check: Check }> {
  try {
    return await context.library.open(projectPath)
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.code !== 'CONFIG_INVALID') throw thrown
    const path = quoteShellWord(userConfigPath(context.library.userSpace))
    return {
      check: { name: 'settings', status: 'problem', message: thrown.message, fix: `mv ${path} ${path}.old` },
    }
  }
}

async function checkAll(context: ActionContext, workspace: Workspace): Promise<Check[]> {
  return [
    await checkPython(workspace),
    ...(await checkBash(workspace)),
    await checkIsolation(workspace),
    ...(await checkGuards(workspace)),
    await checkKey(workspace),
    ...(await checkTrusted(workspace)),
    ...(await checkOffered(workspace)),
    ...checkApprovals(workspace),
    ...checkLocks(workspace),
    ...(await checkItems(context, workspace)),
    ...workspace.notes.map(checkExtractor),
    await checkIndex(context, workspace),
    ...(await checkMeaning(workspace)),
    ...checkReceipts(workspace),
    ...checkUsed(workspace),
    ...checkPlaces(workspace),
    ...checkMode(workspace),
  ]
}
