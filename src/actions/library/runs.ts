// The log of runs: lists and filters it, shows one receipt, and says whether the chain of hashes is intact.
import { AppError, commandOf } from '../../base/index.ts'
import { parseMoment } from '../../query/index.ts'
import { filterReceipts, findReceipt, type Receipt, readReceipts } from '../../user/index.ts'
import { defineAction } from '../definition/action.ts'
import type { CallInput, Fields } from '../definition/field-spec.ts'
import { projectPath } from '../definition/shared-fields.ts'

const RUNS_FIELDS = {
  receipt: {
    type: 'string',
    about: 'show this one; the first digits are enough',
    flag: { position: 'first', value: 'RECEIPT' },
  },
  item_id: { type: 'string', about: 'only runs of this item', flag: { name: 'item', value: 'ID' } },
  outcome: { type: 'string', about: '`success`, or an error code', flag: { value: 'WORD' } },
  since: { type: 'string', about: 'only runs at or after this moment (ISO 8601)', flag: { value: 'DATE' } },
  limit: { type: 'integer', about: '', minimum: 1, maximum: 10_000, default: 50, flag: { value: 'N' } },
  project_path: projectPath,
} as const satisfies Fields

export type RunsInput = CallInput<typeof RUNS_FIELDS>
export type RunsAnswer = RunList | OneRun

export interface RunList extends LogState {
  /** Newest first. */
  readonly runs: readonly Run[]
  /** Number of all matching runs, including those past the limit. */
  readonly total: number
}

export interface OneRun extends LogState {
  readonly run: Run
}

/** A receipt, named by its hash. */
export type Run = { readonly receipt: string } & Omit<Receipt, 'hash'>

interface LogState {
  /** Whether every line of the log follows from the one before it. */
  readonly intact: boolean
  readonly faults?: ReturnType<typeof readReceipts>['faults']
}

export const runs = defineAction({
  name: 'runs',
  description: 'List receipts of runs, newest first, and check that the log is intact.',
  effects: { readOnly: true, destructive: false, openWorld: false },
  fields: RUNS_FIELDS,
  run: async (context, input): Promise<RunsAnswer> => {
    const { projectPath: project } = await context.library.open(input.project_path)
    const { receipts, faults } = readReceipts(context.library.states.find(project)?.path)
    const intact = faults.length === 0
    const log = { intact, ...(!intact && { faults }) }
    if (input.receipt !== undefined) {
      const run = findReceipt(receipts, input.receipt)
      if (!run)
        throw new AppError('ITEM_NOT_FOUND', `no receipt begins with \`${input.receipt}\``, {
          hint: commandOf('list them', 'runs'),
        })
      return { run: describe(run), ...log }
    }
    const { item_id: itemId, outcome, since } = input
    const moment = since === undefined ? undefined : parseMoment(since)
    if (since !== undefined && moment === undefined)
      throw new AppError('INVALID_INPUT', `\`since\`: expected a date such as 2026-01-31, got \`${since}\``)
    const matching = filterReceipts(receipts, {
      ...(itemId !== undefined && { itemId }),
      ...(outcome !== undefined && { outcome }),
      ...(moment !== undefined && { since: new Date(moment.first).toISOString() }),
    })
    return { runs: matching.slice(0, input.limit).map(describe), total: matching.length, ...log }
  },
  exitStatus: answer => (answer.intact ? 0 : 1),
})

function describe({ hash, ...receipt }: Receipt): Run {
  return { receipt: hash, ...receipt }
}
