// Reads the skills of directories named by a caller, for all actions that need them.
import { dirname, join, relative } from 'node:path'
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
import { distinctFolders } from './skill-sources.ts'

export interface DirectoryScan {
  /**
   * The absolute path that paths in the records are relative to: the directory, or the folder around several.
   */
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
  about: 'more directories, for the same table or index',
  flag: { position: 'rest', value: 'DIR' },
} as const satisfies FieldSpec

export async function scanDirectory(context: ActionContext, path: string): Promise<DirectoryScan> {
  return scanDirectories(context, [path])
}

/**
 * Links skills of several directories with each other. Paths are relative to the nearest folder around all of
 * them.
 */
export async function scanDirectories(
  context: ActionContext,
  paths: readonly string[],
): Promise<DirectoryScan> {
  const trees = distinctFolders(paths.map(path => resolvePath(context, path))).map(path =>
    findSkillFolders(path),
  )
  const root = folderAround(trees.map(tree => tree.root))
  const { skills, diagnostics } = await scanSkills(watched(context, trees, root))
  const left = trees.flatMap(tree =>
    tree.diagnostics.map(one => ({ ...one, path: below(root, tree, one.path) })),
  )
  return { root, skills, diagnostics: [...left, ...diagnostics] }
}

/** Reads a folder that is in two of the directories only once. */
function* watched(context: ActionContext, trees: readonly SkillTree[], root: string): Generator<SkillFolder> {
  const total = trees.reduce((sum, tree) => sum + tree.count, 0)
  const seen = new Set<string>()
  let done = 0
  for (const tree of trees) {
    for (const folder of tree.folders()) {
      context.signal.throwIfAborted()
      context.onProgress({ message: 'reading skills', done: done++, total })
      const path = below(root, tree, folder.path)
      if (!seen.has(path)) yield { ...folder, path }
      seen.add(path)
    }
  }
}

function below(root: string, tree: SkillTree, path: string): string {
  return relative(root, join(tree.root, path)) || '.'
}

function folderAround(paths: readonly string[]): string {
  let around = paths[0]!
  while (!paths.every(path => path === around || path.startsWith(around === '/' ? around : `${around}/`)))
    around = dirname(around)
  return around
}
