// Reports what a catalogue holds, how old it is, and whether something should be done.
import type { CatalogueStatus } from '../../catalogue/index.ts'
import { defineAction } from '../definition/action.ts'
import type { CallInput, Fields } from '../definition/field-spec.ts'
import { openTable, tableUri } from './fields.ts'

const STATUS_FIELDS = { table: tableUri } as const satisfies Fields

export type CatalogueStatusInput = CallInput<typeof STATUS_FIELDS>
export type CatalogueStatusAnswer = {
  readonly table: string
  readonly age_seconds: number | null
} & CatalogueStatus

export const catalogueStatus = defineAction({
  name: 'catalogue status',
  description: 'Rows, versions, size, age and health of the table of a catalogue.',
  effects: { readOnly: true, destructive: false, openWorld: true },
  forPeople: true,
  fields: STATUS_FIELDS,
  run: async (context, input): Promise<CatalogueStatusAnswer> => {
    const table = openTable(context, input.table)
    try {
      const status = await table.status()
      const written = status.written === null ? undefined : Date.parse(status.written)
      // The clock of the machine that wrote it may be ahead of ours.
      const age = written === undefined ? null : Math.max(0, context.library.now().getTime() - written) / 1000
      return { table: input.table, age_seconds: age === null ? null : Math.round(age), ...status }
    } finally {
      table.close()
    }
  },
})
