// Skills of a directory that a caller names, for every action that needs them.
import {
  createFingerprint,
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
  readonly skills: readonly LinkedSkill[]
  readonly diagnostics: readonly SkillDiagnostic[]
  /** Of the files before they were read; undefined when that proves nothing. */
  readonly stamp: string | undefined
  /** Of the files as they were read for these skills. */
  readonly fingerprint: string
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

export async function scanDirectory(context: ActionContext, path: string): Promise<DirectoryScan> {
  const tree = findSkillFolders(resolvePath(context, path))
  const fingerprint = createFingerprint()
  const folders = watched(context, tree, folder => fingerprint.add(folder))
  const { skills, diagnostics } = await scanSkills(folders)
  return {
    skills,
    diagnostics: [...tree.diagnostics, ...diagnostics],
    stamp: tree.stamp,
    fingerprint: fingerprint.digest(),
  }
}

/** What the files are, without parsing any; they are read when the fingerprint is asked for. */
export function stateOfDirectory(
  context: ActionContext,
  path: string,
): { stamp: string | undefined; fingerprint(): string } {
  const tree = findSkillFolders(resolvePath(context, path))
  return {
    stamp: tree.stamp,
    fingerprint() {
      const fingerprint = createFingerprint()
      for (const folder of tree.folders()) fingerprint.add(folder)
      return fingerprint.digest()
    },
  }
}

function* watched(
  context: ActionContext,
  tree: SkillTree,
  onFolder: (folder: SkillFolder) => void,
): Generator<SkillFolder> {
  let done = 0
  for (const folder of tree.folders()) {
    context.signal.throwIfAborted()
    context.onProgress({ message: 'reading skills', done: done++, total: tree.count })
    onFolder(folder)
    yield folder
  }
}
