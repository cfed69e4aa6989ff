// Brings a LanceDB table up to date with a directory of skills. Nothing is parsed when no file has changed, and nothing is
// read when none was touched.
import { buildRows, type SkillDiagnostic, type SyncReport } from '../../skills/index.ts'
import { defineAction } from '../definition/action.ts'
import type { CallInput, Fields } from '../definition/field-spec.ts'
import { openSkills } from './open-table.ts'
import { directory, lanceUri, scanDirectory, stateOfDirectory } from './scan-directory.ts'

const SYNC_FIELDS = { directory, lance: { ...lanceUri, required: true } } as const satisfies Fields

export type SkillsSyncInput = CallInput<typeof SYNC_FIELDS>

export interface SkillsSyncAnswer extends SyncReport {
  readonly diagnostics?: readonly SkillDiagnostic[]
}

export const skillsSync = defineAction({
  name: 'skills sync',
  description: 'Write what has changed in a directory of skills to a LanceDB table.',
  effects: { readOnly: false, destructive: true, openWorld: true },
  fields: SYNC_FIELDS,
  run: async (context, input): Promise<SkillsSyncAnswer> => {
    const table = await openSkills(context, input.lance, 'write')
    try {
      const unchanged = await table.unchanged(stateOfDirectory(context, input.directory))
      if (unchanged) return describe(unchanged.report, unchanged.diagnostics)
      const { skills, ...scanned } = await scanDirectory(context, input.directory)
      const report = await table.sync({ rows: buildRows(skills), ...scanned })
      return describe(report, scanned.diagnostics)
    } finally {
      table.close()
    }
  },
})

function describe(report: SyncReport, diagnostics: readonly SkillDiagnostic[]): SkillsSyncAnswer {
  return { ...report, ...(diagnostics.length > 0 && { diagnostics }) }
}
