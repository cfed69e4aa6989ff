// The skills of one or several directories as the table takes them: each under the id that it has, or would have, as an item, with
// the digest of its folder and the verdict on it.
import { basename, join } from 'node:path'
import { realPath } from '../../scan/index.ts'
import {
  type FolderToIndex,
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
  readonly folders: readonly FolderToIndex[]
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
  const looking = startLook(directories.map(directory => resolvePath(context, directory)))
  const { trust } = await context.library.openShared()
  return {
    trust: stampTrustContext(trust),
    async folders(last) {
      const { trees, kept, isSame } = (await looking)(last)
      const taken = new Set<string>()
      const shown = directories.map(name => (directories.length === 1 ? '' : `${name.replace(/\/+$/, '')}/`))
      return {
        folders: trees.flatMap((tree, index) => foldersOf(tree, { shown: shown[index]!, taken, trust })),
        diagnostics: trees.flatMap((tree, index) =>
          tree.diagnostics.map(one => ({ ...one, path: `${shown[index]}${one.path}` })),
        ),
        isSame,
        ...(kept && { look: kept }),
      }
    },
  }
}

interface Placing {
  /** Comes before paths, where there are several directories. */
  readonly shown: string
  /** Ids of the directories before this one. */
  readonly taken: Set<string>
  readonly trust: Trust
}

function foldersOf(tree: LookedTree, { shown, taken, trust }: Placing): FolderToIndex[] {
  const { base = tree.root, prefix = '' } = SPACE.exec(realPath(tree.root))?.groups ?? {}
  const ids = tree.skills.map(({ path }) => {
    const inside = path === '.' ? '' : path
    return prefix && inside ? `${prefix}/${inside}` : prefix || inside || basename(tree.root)
  })
  const folders = tree.skills.map(({ path, stamp, read, isUntouched }, index): FolderToIndex => {
    const id = ids[index]!
    // A skill of a directory that was named before keeps the id.
    const itemId = taken.has(id) ? `${id}@${basename(tree.root)}` : id
    return {
      key: `${itemId} ${shown}${path}`,
      stamp,
      ...(isUntouched && { isUntouched }),
      async read() {
        const { folder, diagnostics } = read()
        const skill = await readSkill(folder)
        const main = join(tree.root, path, skill.main)
        const { digest, verdict } = judgeSkill({ id, path: main, base: placeOfTrust(base, tree.root) }, trust)
        const seal = {
          digest: digest === undefined ? null : `sha256:${digest}`,
          trust: { status: verdict.status, signer: verdict.signer },
        }
        return { skill, itemId, seal, diagnostics }
      },
    }
  })
  for (const id of ids) taken.add(id)
  return folders
}

/** Links are followed up to the directory that was named, never below it. */
function placeOfTrust(base: string, root: string): string {
  return root.startsWith(`${base}/`) ? base : root
}
