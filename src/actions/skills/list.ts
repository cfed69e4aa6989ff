// `rye skills list`: skills of the library, and those in the folders of clients, with whether they are still what was installed.
import { join } from 'node:path'
import { AppError } from '../../base/index.ts'
import type { Space } from '../../item/index.ts'
import { homeOf } from '../../workspace/index.ts'
import { defineAction } from '../definition/action.ts'
import type { CallInput, Fields } from '../definition/field-spec.ts'
import { projectPath } from '../definition/shared-fields.ts'
import { clientFolders, isSkill, isSkillFolder, namesIn, readCopy } from './client-folders.ts'
import { installedSkills } from './installed-skills.ts'
import { linkedFolder } from './link-skill.ts'
import type { ClientName } from './skill-clients.ts'

const LIST_FIELDS = { project_path: projectPath } as const satisfies Fields

export type SkillsListInput = CallInput<typeof LIST_FIELDS>

export interface ListedSkill {
  readonly name: string
  /** `library`: an item of `.ai/skills`. `installed`: a copy as it was installed. `linked`: a link to a skill. Edited, or made by somebody else: `other`. */
  readonly state: 'library' | 'installed' | 'linked' | 'other'
  readonly space: Space
  /** Who reads it there; empty for the library. */
  readonly clients: readonly ClientName[]
  readonly path: string
}

export interface SkillsListAnswer {
  readonly skills: readonly ListedSkill[]
}

export const skillsList = defineAction({
  name: 'skills list',
  description: 'List skills of the library, and copies in the folders of clients.',
  effects: { readOnly: true, destructive: false, openWorld: false },
  fields: LIST_FIELDS,
  run: async (context, input): Promise<SkillsListAnswer> => {
    const workspace = await context.library.open(input.project_path)
    const skills: ListedSkill[] = workspace
      .list(['skill'])
      .items.filter(({ entry }) => entry.path.includes('/.ai/skills/'))
      .map(({ entry }) => ({
        name: entry.id,
        state: 'library',
        space: entry.space,
        clients: [],
        path: entry.path.replace(/\/[^/]+$/, ''),
      }))
    const places = [
      ['project', workspace.projectPath],
      ['user', homeOf(context.library.environment)],
    ] as const
    for (const [space, base] of places) {
      const installed = installedSkills(context.library.states, base)
      for (const { path: folder, clients } of clientFolders(base, space)) {
        for (const name of namesIn(folder)) {
          const path = join(folder, name)
          const linked = linkedFolder(path)
          if (linked !== undefined) {
            if (isSkillFolder(linked)) skills.push({ name, state: 'linked', space, clients, path })
            continue
          }
          const files = readQuietly(path, base)
          if (!files || !isSkill(files)) continue
          const state = installed.isAsInstalled(path, files) ? 'installed' : 'other'
          skills.push({ name, state, space, clients, path })
        }
      }
    }
    return { skills }
  },
})

function readQuietly(path: string, base: string): ReturnType<typeof readCopy> | undefined {
  try {
    return readCopy(path, base)
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    return undefined // something that is no plain folder of files: no skill of ours
  }
}
