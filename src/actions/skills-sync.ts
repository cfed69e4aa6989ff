// Brings a LanceDB table up to date with a directory of skills. Nothing is parsed when no file has changed.
import { buildRows } from '../skill/index.ts'
import { defineAction } from './action.ts'
import { openSkills } from './open-skills.ts'
import { directory, fingerprintDirectory, lanceUri, scanDirectory } from './scan-directory.ts'

export const skillsSync = defineAction({
  name: 'skills sync',
  description: 'Write what has changed in a directory of skills to a LanceDB table.',
  effects: { readOnly: false, destructive: true, openWorld: true },
  fields: { directory, lance: { ...lanceUri, required: true } },
  run: async (context, input) => {
    const table = await openSkills(context, input.lance)
    try {
      const unchanged = await table.unchanged(fingerprintDirectory(input.directory))
      if (unchanged) return unchanged
      const { skills, diagnostics, fingerprint } = await scanDirectory(context, input.directory)
      const report = await table.sync({ rows: buildRows(skills), fingerprint })
      return { ...report, ...(diagnostics.length > 0 && { diagnostics }) }
    } finally {
      table.close()
    }
  },
})
