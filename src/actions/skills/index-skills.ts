// The skill index of a directory: as an answer, as a file, and as a LanceDB table written anew.
import { dirname, resolve } from 'node:path'
import { atomicWrite } from '../../files/index.ts'
import { buildRows } from '../../skills/index.ts'
import { defineAction } from '../definition/action.ts'
import { openSkills } from './open-table.ts'
import { directory, lanceUri, scanDirectory } from './scan-directory.ts'

export const skillsIndex = defineAction({
  name: 'skills index',
  description: 'Index the skills of a directory, into a file or a LanceDB table.',
  effects: { readOnly: false, destructive: false, openWorld: false },
  fields: {
    directory,
    out: { type: 'string', about: 'write the index to this file (JSON)', flag: { value: 'FILE' } },
    lance: lanceUri,
  },
  run: async (context, input) => {
    const { skills, ...scanned } = await scanDirectory(context, input.directory)
    const entries = skills.map(({ entry }) => entry)
    const out = input.out === undefined ? undefined : resolve(input.out)
    if (out !== undefined) atomicWrite(out, `${JSON.stringify(entries, null, 2)}\n`, { root: dirname(out) })
    const rows = buildRows(skills)
    if (input.lance !== undefined) {
      const table = await openSkills(context, input.lance, 'write')
      try {
        await table.rebuild({ rows, ...scanned })
      } finally {
        table.close()
      }
    }
    return {
      skills: entries,
      ...(out !== undefined && { out }),
      ...(input.lance !== undefined && { lance: { uri: input.lance, table: 'skills', rows: rows.length } }),
      diagnostics: scanned.diagnostics,
    }
  },
})
