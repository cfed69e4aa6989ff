// `rye skills remove`: takes a copy out of the folder of a client. What was edited since it was installed is somebody's work, and
// removed only on request; the skill of the library stays.
import { join } from 'node:path'
import { AppError } from '../../base/index.ts'
import { removeFile } from '../../files/index.ts'
import { checkId, nameOf } from '../../item/index.ts'
import { homeOf } from '../../workspace/index.ts'
import { defineAction } from '../definition/action.ts'
import type { CallInput, Fields } from '../definition/field-spec.ts'
import { projectPath } from '../definition/shared-fields.ts'
import { clientFolder, readCopy, removeCopy } from './client-folders.ts'
import { installedSkills } from './installed-skills.ts'
import { linkedFolder } from './link-skill.ts'
import { SKILL_CLIENT_NAMES, type SkillClient } from './skill-clients.ts'

const REMOVE_FIELDS = {
  item_id: {
    type: 'string',
    about: 'name of the skill',
    required: true,
    flag: { position: 'first', value: 'NAME' },
  },
  from: {
    type: 'string',
    about: 'the client',
    required: true,
    values: SKILL_CLIENT_NAMES,
    flag: { value: 'CLIENT' },
  },
  user: { type: 'boolean', about: "from the client's folder for all projects", default: false },
  edited: { type: 'boolean', about: 'also if it is not what was installed there', default: false },
  project_path: projectPath,
} as const satisfies Fields

export type SkillsRemoveInput = CallInput<typeof REMOVE_FIELDS>

export interface SkillsRemoveAnswer {
  readonly status: 'removed'
  readonly item_id: string
  readonly from: SkillClient
  readonly path: string
  /** How many. */
  readonly files: number
}

export const skillsRemove = defineAction({
  name: 'skills remove',
  description: "Remove an installed skill from a client's folder.",
  effects: { readOnly: false, destructive: true, openWorld: false },
  forPeople: true,
  fields: REMOVE_FIELDS,
  run: async (context, input): Promise<SkillsRemoveAnswer> => {
    const workspace = await context.library.open(input.project_path)
    const base = input.user ? homeOf(context.library.environment) : workspace.projectPath
    const folder = clientFolder(input.from, base, input.user ? 'user' : 'project')
    const path = join(folder, nameOf(checkId(input.item_id)))
    const answer = { status: 'removed', item_id: input.item_id, from: input.from, path } as const
    // What a link leads to stays.
    if (linkedFolder(path) !== undefined && removeFile(path, { root: base })) return { ...answer, files: 0 }
    const files = readCopy(path, base)
    if (!files.has('SKILL.md'))
      throw new AppError('ITEM_NOT_FOUND', `no skill at \`${path}\``, {
        hint: '`rye skills list` shows where skills are',
      })
    if (!input.edited && !installedSkills(context.library.states, base).isAsInstalled(path, files))
      throw new AppError('POLICY_DENIED', `\`${path}\` was edited, or not installed by rye`, {
        hint: 'look at it; --edited removes it all the same',
      })
    removeCopy(path, files, { base, keep: folder })
    return { ...answer, files: files.size }
  },
})
