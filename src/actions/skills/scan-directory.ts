// Skills of a directory that a caller names, for every action that needs them.
import {
  findSkillFolders,
  type LinkedSkill,
  type SkillDiagnostic,
  type SkillFolder,
  type SkillTree,
  scanSkills,
} from '../../skills/index.ts'
import type { ActionContext } from '../definition/action.ts'
import type { FieldSpec } from '../definition/field-spec.ts'
import { resolvePath } from '../definition/resolve-path.ts'

export interface DirectoryScan {
  /** The directory as an absolute path: where the paths in the records begin. */
  readonly root: string
  readonly skills: readonly LinkedSkill[]
  readonly diagnostics: readonly SkillDiagnostic[]
}

export const directory = {
  type: 'string',
  about: 'a directory of skills, or one skill',
  required: true,
  flag: { position: 'first', value: 'DIR' },
} as const satisfies FieldSpec

export const lanceUri = {
  type: 'string',
  about: 'a directory or an address that LanceDB accepts: `s3://`, `gs://`, `az://` ...',
  flag: { value: 'URI' },
} as const satisfies FieldSpec

export const moreDirectories = {
  type: 'strings',
  about: 'more directories that go into the same table',
  flag: { position: 'rest', value: 'DIR' },
} as const satisfies FieldSpec

export async function scanDirectory(context: ActionContext, path: string): Promise<DirectoryScan> {
  const tree = findSkillFolders(resolvePath(context, path))
  const { skills, diagnostics } = await scanSkills(watched(context, tree))
  return { root: tree.root, skills, diagnostics: [...tree.diagnostics, ...diagnostics] }
}

function* watched(context: ActionContext, tree: SkillTree): Generator<SkillFolder> {
  let done = 0
  for (const folder of tree.folders()) {
    context.signal.throwIfAborted()
    context.onProgress({ message: 'reading skills', done: done++, total: tree.count })
    yield folder
  }
}
