// The skills of one or several directories as the table takes them: each under the id that it has, or would have, as an item, with
// the digest of its folder and the verdict on it.
import { basename, join } from 'node:path'
import { realPath } from '../../scan/index.ts'
import {
  type FolderToIndex,
  findSkillFolders,
  readSkill,
  type SkillDiagnostic,
  type SkillTree,
} from '../../skills/index.ts'
import { judgeSkill, stampTrustContext } from '../../workspace/index.ts'
import type { ActionContext } from '../definition/action.ts'
import { resolvePath } from '../definition/resolve-path.ts'

export interface DirectoriesToIndex {
  readonly folders: readonly FolderToIndex[]
  /** What was left out of the directories. */
  readonly diagnostics: readonly SkillDiagnostic[]
  /** Differs when verdicts may differ. */
  readonly trust: string
}

type Trust = Parameters<typeof judgeSkill>[1]

/** A folder of skills in a space, and what of the path is part of their ids. */
const SPACE = /^(?<base>.*?)\/\.(?:ai|claude|agents)\/skills(?:\/(?<prefix>.*))?$/

export async function foldersToIndex(
  context: ActionContext,
  directories: readonly string[],
): Promise<DirectoriesToIndex> {
  const { trust } = await context.library.openShared()
  const taken = new Set<string>()
  const folders: FolderToIndex[] = []
  const diagnostics: SkillDiagnostic[] = []
  for (const directory of directories) {
    const tree = findSkillFolders(resolvePath(context, directory))
    const shown = directories.length === 1 ? '' : `${directory.replace(/\/+$/, '')}/`
    diagnostics.push(...tree.diagnostics.map(one => ({ ...one, path: `${shown}${one.path}` })))
    folders.push(...foldersOf(tree, { shown, taken, trust }))
  }
  return { folders, diagnostics, trust: stampTrustContext(trust) }
}

interface Placing {
  /** Comes before paths, where there are several directories. */
  readonly shown: string
  /** Ids of the directories before this one. */
  readonly taken: Set<string>
  readonly trust: Trust
}

function foldersOf(tree: SkillTree, { shown, taken, trust }: Placing): FolderToIndex[] {
  const { base = tree.root, prefix = '' } = SPACE.exec(realPath(tree.root))?.groups ?? {}
  const ids = tree.skills.map(({ path }) => {
    const inside = path === '.' ? '' : path
    return prefix && inside ? `${prefix}/${inside}` : prefix || inside || basename(tree.root)
  })
  const folders = tree.skills.map(({ path, stamp, read }, index): FolderToIndex => {
    const id = ids[index]!
    // A skill of a directory that was named before keeps the id.
    const itemId = taken.has(id) ? `${id}@${basename(tree.root)}` : id
    return {
      key: `${itemId} ${shown}${path}`,
      stamp,
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
