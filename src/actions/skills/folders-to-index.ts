// The skills of one or more directories in the form that the table takes: each under the id that it has, or
// would have, as an item, with the digest of its folder and the verdict on it.
import { join } from 'node:path'
import { lazy } from '../../base/index.ts'
import { realPath } from '../../scan/index.ts'
import {
  type FoldersToIndex,
  type FolderToIndex,
  type FoundSkill,
  type KeptScan,
  readSkill,
  type ScannedTree,
  type SkillDiagnostic,
  startScan,
} from '../../skills/index.ts'
import { judgeSkill, stampTrustContext } from '../../workspace/index.ts'
import type { ActionContext } from '../definition/action.ts'
import { resolvePath } from '../definition/resolve-path.ts'
import { nameSkills, type SkillName } from './name-skills.ts'
import { distinctFolders, FOLDER, skillSources } from './skill-sources.ts'

export interface DirectoriesToIndex {
  readonly folders: FoldersToIndex
  /** What was left out of the directories, and why. */
  readonly diagnostics: readonly SkillDiagnostic[]
  /** The scan to compare with next time. */
  readonly scan?: KeptScan
  /** Whether nothing was written in the directories since the last scan, as far as that was checked. */
  readonly isSame: boolean
}

type Trust = Parameters<typeof judgeSkill>[1]

export interface DirectoryIndexing {
  /** Differs when verdicts may differ. */
  readonly trust: string
  /** Given the previous scan, walks only what was written since. */
  folders(last?: KeptScan): Promise<DirectoriesToIndex>
}

export async function foldersToIndex(
  context: ActionContext,
  directories: readonly string[],
): Promise<DirectoryIndexing> {
  const roots = distinctFolders(directories.map(directory => resolvePath(context, directory)))
  const { sources, elsewhere } = skillSources(context, roots)
  const namesOf = rememberingLast(paths => nameSkills(sources, paths, elsewhere))
  const scanning = startScan(roots, paths => namesOf(paths).stamp)
  const { trust } = await context.library.openShared()
  return {
    trust: stampTrustContext(trust),
    async folders(last) {
      const { trees, kept, isSame } = (await scanning)(last)
      const names = namesOf(trees.map(({ paths }) => paths))
      const shownOf = (index: number) => (sources.length === 1 ? '' : `${sources[index]!.shown}/`)
      const ofTrees = (skillsOf: (tree: ScannedTree) => readonly FoundSkill[]) =>
        trees.flatMap((tree, index) => {
          const skillNameAt = (path: string) => names.skillNameAt(index, path)
          const { shown: root } = sources[index]!
          return foldersOf(tree, skillsOf(tree), { shown: shownOf(index), root, skillNameAt, trust })
        })
      const areKnown = trees.every(({ touched }) => touched !== undefined)
      return {
        folders: {
          all: lazy(() => ofTrees(tree => tree.skills())),
          ...(areKnown && { touched: ofTrees(({ touched = [] }) => touched) }),
        },
        diagnostics: trees.flatMap((tree, index) => [
          ...(tree.paths.length === 0 ? [noSkills(shownOf(index))] : []),
          ...tree.diagnostics.map(one => ({ ...one, path: `${shownOf(index)}${one.path}` })),
        ]),
        isSame,
        ...(kept && { scan: kept }),
      }
    },
  }
}

/** Whoever mistypes a directory would lose its rows without a word: the table mirrors what is named. */
function noSkills(shown: string): SkillDiagnostic {
  const place = { path: shown.replace(/\/$/, '') || '.', line: 1, column: 1 }
  return { ...place, severity: 'warning', code: 'no-skills', message: 'there is no skill in this directory' }
}

type Paths = readonly (readonly string[])[]

/** A scan and the code that uses it pass identical lists of paths. */
function rememberingLast<Result>(make: (paths: Paths) => Result): (paths: Paths) => Result {
  let last: { readonly paths: Paths; readonly result: Result } | undefined
  return paths => {
    const isLast = last?.paths.length === paths.length && last.paths.every((list, at) => list === paths[at])
    if (!last || !isLast) last = { paths, result: make(paths) }
    return last.result
  }
}

interface Placing {
  /** Prefix of paths when there are several directories. */
  readonly shown: string
  /** The name of the directory. */
  readonly root: string
  readonly trust: Trust
  skillNameAt(path: string): SkillName | undefined
}

function foldersOf(
  tree: ScannedTree,
  skills: readonly FoundSkill[],
  { shown, root, trust, skillNameAt }: Placing,
): FolderToIndex[] {
  const base = baseOf(tree.root)
  return skills.flatMap(({ path, stamp, read }): FolderToIndex[] => {
    const name = skillNameAt(path)
    if (!name) return []
    const { itemId, source, dotted } = name
    return [
      {
        key: [`${itemId}@${source ?? ''}`, `${shown}${path}`, root, ...dotted].join(' '),
        stamp,
        async read() {
          const { folder, diagnostics } = read()
          const skill = await readSkill(folder)
          const main = join(tree.root, path, skill.main)
          const { digest, verdict } = judgeSkill({ id: itemId, path: main, base }, trust)
          const seal = {
            digest: digest === undefined ? null : `sha256:${digest}`,
            trust: { status: verdict.status, signer: verdict.signer },
          }
          const isSkill = dotted.length === 0 ? undefined : (id: string) => dotted.includes(id)
          const named = { itemId, isSkill, ...(source !== undefined && { source }) }
          return { skill, ...named, root, shown, seal, diagnostics }
        },
      },
    ]
  })
}

/**
 * The folder that project bounds of keys are checked against. Links are followed up to the directory that was
 * named, never below it.
 */
function baseOf(root: string): string {
  const base = FOLDER.exec(realPath(root))?.groups?.base
  return base !== undefined && root.startsWith(`${base}/`) ? base : root
}
