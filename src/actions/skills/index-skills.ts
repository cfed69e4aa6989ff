// Indexes the skills of directories: as an answer, as a file, and as a LanceDB table that is rewritten.
import { dirname } from 'node:path'
import { atomicWrite } from '../../files/index.ts'
import { collectRows, type LinkedSkill, type SkillDiagnostic } from '../../skills/index.ts'
import { type ActionContext, defineAction } from '../definition/action.ts'
import type { CallInput, Fields } from '../definition/field-spec.ts'
import { resolvePath } from '../definition/resolve-path.ts'
import { foldersToIndex } from './folders-to-index.ts'
import { openSkills } from './open-table.ts'
import { readInTurns } from './read-in-turns.ts'
import { directory, lanceUri, moreDirectories, scanDirectories } from './scan-directory.ts'

const INDEX_FIELDS = {
  directory,
  more: moreDirectories,
  out: { type: 'string', about: 'write the index to this file (JSON)', flag: { value: 'FILE' } },
  lance: lanceUri,
} as const satisfies Fields

export type SkillsIndexInput = CallInput<typeof INDEX_FIELDS>

export interface SkillsIndexAnswer {
  /** The folder that paths in the entries are relative to. */
  readonly root: string
  readonly skills: readonly LinkedSkill['entry'][]
  /** The file that was written. */
  readonly out?: string
  /** The table that was written. */
  readonly lance?: { readonly uri: string; readonly table: 'skills'; readonly rows: number }
  readonly diagnostics: readonly SkillDiagnostic[]
}

export const skillsIndex = defineAction({
  name: 'skills index',
  description: 'Index the skills of directories, into a file or a LanceDB table.',
  effects: { readOnly: false, destructive: false, openWorld: false },
  fields: INDEX_FIELDS,
  run: async (context, input): Promise<SkillsIndexAnswer> => {
    const directories = [input.directory, ...(input.more ?? [])]
    const { skills, ...scanned } = await scanDirectories(context, directories)
    const entries = skills.map(({ entry }) => entry)
    const out = input.out === undefined ? undefined : resolvePath(context, input.out)
    if (out !== undefined) atomicWrite(out, `${JSON.stringify(entries, null, 2)}\n`, { root: dirname(out) })
    const rows = input.lance === undefined ? 0 : await writeTable(context, directories, input.lance)
    return {
      root: scanned.root,
      skills: entries,
      ...(out !== undefined && { out }),
      ...(input.lance !== undefined && { lance: { uri: input.lance, table: 'skills', rows } }),
      diagnostics: scanned.diagnostics,
    }
  },
})

/** Returns the number of rows. */
async function writeTable(
  context: ActionContext,
  directories: readonly string[],
  lance: string,
): Promise<number> {
  const indexing = await foldersToIndex(context, directories)
  const table = await openSkills(context, lance, { use: 'write', trust: indexing.trust })
  try {
    const { folders, scan } = await indexing.folders()
    const collected = await collectRows(folders, undefined, { onFolder: readInTurns(context) })
    await table.rebuild(collected, scan)
    return collected.wanted().size
  } finally {
    table.close()
  }
}
