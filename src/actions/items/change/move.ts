// `rye mv`: gives an item another id, or another space. See `move-item.ts`.
import { defineAction } from '../../definition/action.ts'
import type { CallInput, Fields } from '../../definition/field-spec.ts'
import { itemId, itemType, projectPath } from '../../definition/shared-fields.ts'
import { type MvAnswer, moveItem } from './move-item.ts'

const MV_FIELDS = {
  item_id: itemId,
  to: {
    type: 'string',
    about: 'the new id, such as `ops/deploy` or `ops/deploy@user`',
    required: true,
    flag: { position: 'first', value: 'ITEM' },
  },
  item_type: itemType,
  take_over: { type: 'boolean', about: 'sign it also if another key signed it, without asking' },
  project_path: projectPath,
} as const satisfies Fields

export type { MvAnswer } from './move-item.ts'
export type MvInput = CallInput<typeof MV_FIELDS>

export const mv = defineAction({
  name: 'mv',
  description: 'Give an item another id or space; signed again if it was signed with your key.',
  effects: { readOnly: false, destructive: false, openWorld: false },
  forPeople: true,
  fields: MV_FIELDS,
  run: async (context, input): Promise<MvAnswer> => moveItem(context, input),
})
