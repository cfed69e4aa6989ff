// `rye rm`: removes an item. It does not ask first, since nothing is lost: the files are kept with the state
// of the project, and the answer says where. If other items mention it, a person confirms or gives `--yes`.
import { AppError } from '../../../base/index.ts'
import type { SignedType, Space } from '../../../item/index.ts'
import { defineAction } from '../../definition/action.ts'
import type { CallInput, Fields } from '../../definition/field-spec.ts'
import { itemId, itemType, projectPath } from '../../definition/shared-fields.ts'
import { removeItem } from './item-files.ts'
import { findOwnItem } from './own-item.ts'
import { findReferrers, type Referrer } from './referrers.ts'
import { type UsedFile, usedFiles } from './used-files.ts'

const RM_FIELDS = {
  item_id: itemId,
  item_type: itemType,
  source: { type: 'string', about: 'space that holds it', values: ['project', 'user'] },
  yes: { type: 'boolean', about: 'remove it though other items mention it, without asking', default: false },
  project_path: projectPath,
} as const satisfies Fields

export type RmInput = CallInput<typeof RM_FIELDS>

export interface RmAnswer {
  readonly status: 'removed'
  readonly item_type: SignedType
  readonly item_id: string
  readonly space: Space
  readonly path: string
  /** The folder that holds the removed files. */
  readonly kept_at: string
  /** Items that mention it. */
  readonly referred_by: readonly Referrer[]
  /** Files that it used. They stay. */
  readonly helpers: readonly UsedFile[]
  /** Spaces with an item of the same id that it shadowed. The first is used from now on. */
  readonly uncovers: readonly Space[]
}

export const rm = defineAction({
  name: 'rm',
  description: 'Remove an item of the project or the user. Its files are kept elsewhere.',
  effects: { readOnly: false, destructive: true, openWorld: false },
  forPeople: true,
  fields: RM_FIELDS,
  run: async (context, input): Promise<RmAnswer> => {
    const workspace = await context.library.open(input.project_path)
    const item = workspace.read(findOwnItem(workspace, input, 'removed'))
    const { type, id, space, path } = item.file
    const referred_by = findReferrers(workspace, item.file)
    const helpers = usedFiles(item)
    if (referred_by.length > 0 && !input.yes) {
      const lines = referred_by.map(({ item: name, line }) => `  ${name}, line ${line}`)
      const text = [`${type}:${id} is mentioned by`, ...lines, 'Remove it?'].join('\n')
      if (!(await context.confirm?.({ text, subject: path })))
        throw new AppError('POLICY_DENIED', `${type}:${id} is not removed: ${count(referred_by)} it`, {
          hint: `mentioned by ${referred_by.map(({ item: name }) => name).join(', ')}; \`--yes\` removes it all the same`,
          details: { referred_by },
        })
    }
    const kept_at = removeItem(workspace, item)
    return {
      status: 'removed',
      item_type: type,
      item_id: id,
      space,
      path,
      kept_at,
      referred_by,
      helpers,
      uncovers: item.shadows,
    }
  },
})

function count({ length }: readonly Referrer[]): string {
  return length === 1 ? '1 item mentions' : `${length} items mention`
}
