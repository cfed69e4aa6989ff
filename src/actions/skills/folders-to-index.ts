// The skills of one or several directories as the table takes them: each under the id that it has, or would have, as an item, with
// the digest of its folder and the verdict on it.
import { basename, join } from 'node:path'
import { lazy } from '../../base/index.ts'
import { realPath } from '../../scan/index.ts'
import {
  type FoldersToIndex,
  type FolderToIndex,
  type FoundSkill,
  type KeptLook,
  type LookedTree,
  readSkill,
  type SkillDiagnostic,
  startLook,
} from '../../skills/index.ts'
import { judgeSkill, stampTrustContext } from '../../workspace/index.ts'
import type { ActionContext } from '../definition/action.ts'
import { resolvePath } from '../definition/resolve-path.ts'

export interface DirectoriesToIndex {
  readonly folders: FoldersToIndex
  /** What was left out of the directories. */
  readonly diagnostics: readonly SkillDiagnostic[]
  /** For the next time. */
  readonly look?: KeptLook
  /** Whether nothing was written in the directories since the last look, as far as that was asked. */
  readonly isSame: boolean
}

type Trust = Parameters<typeof judgeSkill>[1]

/** A folder of skills in a space, and what of the path is part of their ids. */
const SPACE = /^(?<base>.*?)\/\.(?:ai|claude|agents)\/skills(?:\/(?<prefix>.*))?$/

export interface DirectoryIndexing {
  /** Differs when verdicts may differ. */
  readonly trust: string
  /** Given how the directories looked when they were last indexed, only what was written since is walked. */
  folders(last?: KeptLook): Promise<DirectoriesToIndex>
}

export async function foldersToIndex(
  context: ActionContext,
  directories: readonly string[],
): Promise<DirectoryIndexing> {
  const paths = directories.map(directory => resolvePath(context, directory))
  const sources = sourcesOf(context, paths)
  const shown = directories.map(name => (directories.length === 1 ? '' : `${name.replace(/\/+$/, '')}/`))
  const looking = startLook(paths, JSON.stringify([sources, shown]))
  const { trust } = await context.library.openShared()
  return {
    trust: stampTrustContext(trust),
    async folders(last) {
      const { trees, kept, isSame } = (await looking)(last)
      const ofTrees = (skillsOf: (tree: LookedTree) => readonly FoundSkill[]) =>
        trees.flatMap((tree, index) =>
          foldersOf(tree, skillsOf(tree), { shown: shown[index]!, source: sources[index], trust }),
        )
      const areKnown = trees.every(({ touched }) => touched !== undefined)
      return {
        folders: {
          all: lazy(() => ofTrees(tree => tree.skills())),
          ...(areKnown && { touched: ofTrees(({ touched = [] }) => touched) }),
        },
        diagnostics: trees.flatMap((tree, index) =>
          tree.diagnostics.map(one => ({ ...one, path: `${shown[index]}${one.path}` })),
        ),
        isSame,
        ...(kept && { look: kept }),
      }
    },
  }
}

/**
 * What the ids of each directory's skills end with: nothing for the one that is named first. It depends on the names of the directories
 * alone, so that no id moves because of a skill in another one. In a space it is the space, as `execute` takes it.
 */
function sourcesOf(context: ActionContext, roots: readonly string[]): (string | undefined)[] {
  const spaces = [
    ['user', realPath(context.library.userSpace)],
    ['project', context.directory === undefined ? undefined : realPath(context.directory)],
  ] as const
  const times = new Map<string, number>()
  return roots.map((root, index) => {
    if (index === 0) return undefined
    const { base } = placeOf(root)
    const space = base !== undefined && spaces.find(([, folder]) => folder === base)
    const name = space ? space[0] : basename(root)
    const number = (times.get(name) ?? 0) + 1
    times.set(name, number)
    return number === 1 ? name : `${name}-${number}`
  })
}

function placeOf(root: string): { readonly base?: string; readonly prefix?: string } {
  return SPACE.exec(realPath(root))?.groups ?? {}
}

interface Placing {
  /** Comes before paths, where there are several directories. */
  readonly shown: string
  readonly source: string | undefined
  readonly trust: Trust
}

function foldersOf(
  tree: LookedTree,
  skills: readonly FoundSkill[],
  { shown, source, trust }: Placing,
): FolderToIndex[] {
  const { base = tree.root, prefix = '' } = placeOf(tree.root)
  return skills.map(({ path, stamp, read }): FolderToIndex => {
    const inside = path === '.' ? '' : path
    const itemId = prefix && inside ? `${prefix}/${inside}` : prefix || inside || basename(tree.root)
    return {
      key: `${itemId}@${source ?? ''} ${shown}${path}`,
      stamp,
      async read() {
        const { folder, diagnostics } = read()
        const skill = await readSkill(folder)
        const main = join(tree.root, path, skill.main)
        const place = { id: itemId, path: main, base: placeOfTrust(base, tree.root) }
        const { digest, verdict } = judgeSkill(place, trust)
        const seal = {
          digest: digest === undefined ? null : `sha256:${digest}`,
          trust: { status: verdict.status, signer: verdict.signer },
        }
        return { skill, itemId, seal, diagnostics, ...(source !== undefined && { source }) }
      },
    }
  })
}

/** Links are followed up to the directory that was named, never below it. */
function placeOfTrust(base: string, root: string): string {
  return root.startsWith(`${base}/`) ? base : root
}
