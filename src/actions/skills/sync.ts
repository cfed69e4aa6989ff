// Brings a LanceDB table up to date with directories of skills. Reads only folders that were touched, and
// writes only what differs.
import {
  collectRows,
  diagnosticsOf,
  isUnchanged,
  type SkillDiagnostic,
  type SyncReport,
} from '../../skills/index.ts'
import { defineAction } from '../definition/action.ts'
import type { CallInput, Fields } from '../definition/field-spec.ts'
import { foldersToIndex } from './folders-to-index.ts'
import { openSkills } from './open-table.ts'
import { readInTurns } from './read-in-turns.ts'
import { directory, lanceUri, moreDirectories } from './scan-directory.ts'

const SYNC_FIELDS = {
  directory,
  more: moreDirectories,
  lance: { ...lanceUri, required: true },
} as const satisfies Fields

export type SkillsSyncInput = CallInput<typeof SYNC_FIELDS>

export interface SkillsSyncAnswer extends SyncReport {
  readonly diagnostics?: readonly SkillDiagnostic[]
}

export const skillsSync = defineAction({
  name: 'skills sync',
  description:
    'Write what has changed in directories of skills to a LanceDB table: a row for each skill and for each of its functions.',
  effects: { readOnly: false, destructive: true, openWorld: true },
  fields: SYNC_FIELDS,
  run: async (context, input): Promise<SkillsSyncAnswer> => {
    const indexing = await foldersToIndex(context, [input.directory, ...(input.more ?? [])])
    const table = await openSkills(context, input.lance, { use: 'write', trust: indexing.trust })
    try {
      const { folders: known, scan: last } = (await table.recall()) ?? {}
      const { folders, diagnostics, scan, isSame } = await indexing.folders(last)
      const answer = (report: SyncReport, said: readonly SkillDiagnostic[]): SkillsSyncAnswer => {
        const all = [...diagnostics, ...said]
        return { ...report, ...(all.length > 0 && { diagnostics: all }) }
      }
      if (known && isSame && isUnchanged(folders, known)) {
        const same = { added: [], updated: [], deleted: [], unchanged_count: known.rowCount }
        return answer(same, diagnosticsOf(known))
      }
      const collected = await collectRows(folders, known, { onFolder: readInTurns(context) })
      return answer(await table.sync(collected, scan), diagnosticsOf(collected.folders))
    } finally {
      table.close()
    }
  },
})
