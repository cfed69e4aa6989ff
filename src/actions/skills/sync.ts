// Brings a LanceDB table up to date with a directory of skills. Nothing is parsed when no file has changed, and nothing is
// read when none was touched.
import { buildRows, type SkillDiagnostic, type SyncReport } from '../../skills/index.ts'
import { defineAction } from '../definition/action.ts'
import { openSkills } from './open-table.ts'
import { directory, lanceUri, lookAtDirectory, scanDirectory } from './scan-directory.ts'

export const skillsSync = defineAction({
  name: 'skills sync',
  description: 'Write what has changed in a directory of skills to a LanceDB table.',
  effects: { readOnly: false, destructive: true, openWorld: true },
  fields: { directory, lance: { ...lanceUri, required: true } },
  run: async (context, input) => {
    const table = await openSkills(context, input.lance, 'write')
    try {
      const unchanged = await table.unchanged(lookAtDirectory(input.directory))
      if (unchanged) return describe(unchanged.report, unchanged.diagnostics)
      const { skills, ...scanned } = await scanDirectory(context, input.directory)
      const report = await table.sync({ rows: buildRows(skills), ...scanned })
      return describe(report, scanned.diagnostics)
    } finally {
      table.close()
    }
  },
})

function describe(report: SyncReport, diagnostics: readonly SkillDiagnostic[]): object {
  return { ...report, ...(diagnostics.length > 0 && { diagnostics }) }
}
