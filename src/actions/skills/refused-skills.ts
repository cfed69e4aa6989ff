// Which skills of a directory a server would refuse because of trust, or because it does not list them, and
// why. Applies only to skills in a project: elsewhere there is nothing to sign, and whether a skill could be
// served depends only on its files.
import { lstatSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AppError } from '../../base/index.ts'
import { realPath } from '../../scan/index.ts'
import type { SharedView } from '../../workspace/index.ts'
import type { ActionContext } from '../definition/action.ts'

export interface RefusedSkills {
  /** Why no id leads to the skill, so that it can be neither signed nor loaded. */
  unreachable(path: string): string | undefined
  /** Why the skill at this path below the directory would be refused; undefined if it would not. */
  reasonFor(path: string): Promise<string | undefined>
}

const SKILLS_FOLDER = /^(.*?)\/\.(?:ai|claude|agents)\/skills(?:\/|$)/

const NOT_LISTED = 'it is not listed: the project has it as a part of something else'

export async function refusedSkills(context: ActionContext, directory: string): Promise<RefusedSkills> {
  if (SKILLS_FOLDER.test(directory) && lstatSync(directory).isSymbolicLink()) {
    const reason = `\`${directory}\` is a symbolic link, which is not followed; put the folder itself there, or validate \`${realPath(directory)}\``
    return { unreachable: () => reason, reasonFor: async () => reason }
  }
  const root = realPath(directory)
  const project = SKILLS_FOLDER.exec(root)?.[1]
  if (!project) return { unreachable: () => undefined, reasonFor: async () => undefined }
  const view: SharedView = await context.library.open(project)
  const listing = view.list(['skill'])
  const items = new Map(listing.items.map(item => [dirname(item.entry.path), item]))
  const skipped = new Map(listing.skipped.map(({ path, message }) => [dirname(path), message] as const))
  // A duplicate id is reported as a reason not to serve: each of the two could be loaded if it were first.
  const others = new Map([
    ...skipped,
    ...listing.duplicates.map(({ entry, message }) => [dirname(entry.path), message] as const),
  ])
  return {
    unreachable(path) {
      const folder = join(root, path)
      if (items.has(folder) || (others.has(folder) && !skipped.has(folder))) return undefined
      return skipped.get(folder) ?? NOT_LISTED
    },
    async reasonFor(path) {
      const folder = join(root, path)
      const found = items.get(folder)
      if (!found) return others.get(folder) ?? NOT_LISTED
      if (found.shadowedBy !== null) return `a skill of the same id in another folder comes first`
      try {
        await view.permit(view.read(found), { signedOnly: true })
        return undefined
      } catch (thrown) {
        if (!(thrown instanceof AppError)) throw thrown
        return thrown.message
      }
    },
  }
}
