// Checks the index, the log of runs, overrides of extractors, and development mode.
import { join } from 'node:path'
import { AppError, countOf, putAside } from '../../../base/index.ts'
import { canWrite } from '../../../files/index.ts'
import { readReceipts, receiptsPath, userSpaceProblem } from '../../../user/index.ts'
import { describeDevMode, openLiveIndex, readMeaning, type Workspace } from '../../../workspace/index.ts'
import type { ActionContext } from '../../definition/action.ts'
import type { Check } from './check.ts'

export async function checkIndex(context: ActionContext, workspace: Workspace): Promise<Check> {
  const index = await openLiveIndex(workspace, { watch: false })
  const report = await index.refresh(workspace, { signal: context.signal })
  // Some names are always skipped, which is not a mistake. Duplicates have a check of their own.
  const skipped = report.diagnostics.filter(
    ({ code }) => code !== 'skipped-name' && code !== 'duplicate-id',
  ).length
  const message = `${countOf(report.items, 'item')} indexed${skipped > 0 ? `, ${countOf(skipped, 'file')} skipped` : ''}`
  return {
    name: 'index',
    status: skipped > 0 ? 'note' : 'ok',
    message,
    ...(skipped > 0 && { fix: 'rye index --json' }),
  }
}

/** Reports a model chosen by the user that cannot be used. */
export async function checkMeaning({ library }: Workspace): Promise<Check[]> {
  const problem = (await readMeaning(library)).builtIn?.().problem
  if (problem === undefined) return []
  return [{ name: 'meaning', status: 'problem', message: `items are found by words alone: ${problem}` }]
}

export function checkExtractor(note: Workspace['notes'][number]): Check {
  const ref = `tool:${note.item_id}`
  const sign = `rye sign ${ref}${note.space === 'user' ? ' --source user' : ''}`
  const fix = note.code === 'extractor-invalid' ? `rye show ${ref}@${note.space}` : sign
  return { name: 'extractor', status: 'problem', message: note.message, fix }
}

export function checkReceipts({ library, projectPath }: Workspace): Check[] {
  const state = library.states.find(projectPath)?.path
  const faults = receiptFaults(state)
  if (typeof faults === 'string') return [{ name: 'receipts', status: 'problem', message: faults }]
  if (state === undefined || faults.length === 0) return []
  const { file } = faults[0]!
  const path = file === undefined ? receiptsPath(state) : join(state, file)
  const lines = faults.map(({ line, fault }) => `line ${line} ${fault}`).join(', ')
  return [
    {
      name: 'receipts',
      status: 'problem',
      message: `the log of runs is broken: ${lines}`,
      fix: putAside(path),
    },
  ]
}

function receiptFaults(state: string | undefined): ReturnType<typeof readReceipts>['faults'] | string {
  try {
    return readReceipts(state).faults
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    return thrown.message
  }
}

/** Checks the memory of used items, which tells whether an item has gone back. */
export function checkUsed({ library, projectPath }: Workspace): Check[] {
  const faults = [projectPath, library.userSpace].flatMap(folder => library.used.in(folder).fault() ?? [])
  return faults.map(
    ({ message, path }): Check => ({
      name: 'used items',
      status: 'problem',
      message: `${message}; to start over:`,
      fix: putAside(path),
    }),
  )
}

/** Reports folders that cannot be written, and the consequences. */
export function checkPlaces({ library, projectPath }: Workspace): Check[] {
  const { userSpace, cacheRoot } = library
  const cache = canWrite(cacheRoot)
  const user = userSpaceProblem(userSpace)
  const instead = cache ? `in \`${cacheRoot}\`` : 'for as long as a command runs'
  return [
    ...(canWrite(join(projectPath, '.ai'))
      ? []
      : [`\`${projectPath}\` cannot be written: its items can be used, but not added or signed`]),
    ...(user
      ? [
          `${user.message}: no key can be made or trusted, and the log of runs is kept ${instead}; ${user.hint}`,
        ]
      : []),
    ...(cache ? [] : [`\`${cacheRoot}\` cannot be written: the index is made anew by every command`]),
  ].map((message): Check => ({ name: 'read-only', status: 'note', message }))
}

export function checkMode(workspace: Workspace): Check[] {
  const message = describeDevMode(workspace.library.environment)
  return message === undefined ? [] : [{ name: 'mode', status: 'note', message, fix: 'unset RYE_DEV_MODE' }]
}
