// `rye new`: an item that validates, signs and runs as it is, to be changed into what you need.
import { ITEM_TYPES } from '../../../item/index.ts'
import { findSigningKey } from '../../../user/index.ts'
import { defineAction } from '../../definition/action.ts'
import type { CallInput, Fields } from '../../definition/field-spec.ts'
import { projectPath } from '../../definition/shared-fields.ts'
import { type CreatedItem, createItem } from './create-item.ts'
import { LANGUAGES } from './templates/write-template.ts'

const NEW_FIELDS = {
  item_type: {
    type: 'string',
    about: `what to create: ${ITEM_TYPES.join(', ')}`,
    values: ITEM_TYPES,
    required: true,
    flag: { position: 'first', value: 'TYPE' },
  },
  item_id: {
    type: 'string',
    about: 'id such as `ops/greet`',
    required: true,
    flag: { position: 'first', value: 'ID' },
  },
  language: { type: 'string', about: 'of a tool', values: LANGUAGES, default: 'python' },
  description: { type: 'string', about: 'one sentence', flag: { value: 'TEXT' } },
  source: {
    type: 'string',
    about: 'space to create it in',
    values: ['project', 'user'],
    default: 'project',
  },
  project_path: projectPath,
} as const satisfies Fields

export type NewInput = CallInput<typeof NEW_FIELDS>

export interface NewAnswer extends CreatedItem {
  readonly status: 'created'
  /** Commands that come next. */
  readonly next: readonly string[]
}

export const newItem = defineAction({
  name: 'new',
  description: 'Create an item from a template, signed if there is a key.',
  effects: { readOnly: false, destructive: false, openWorld: false },
  fields: NEW_FIELDS,
  run: async (context, input): Promise<NewAnswer> => {
    const workspace = await context.library.open(input.project_path)
    const created = await createItem(context, workspace, {
      type: input.item_type,
      id: input.item_id,
      language: input.language,
      space: input.source,
      ...(input.description !== undefined && { description: input.description }),
    })
    const ref = `${created.item_type}:${created.item_id}`
    const sign = `rye sign ${ref}${input.source === 'user' ? '@user' : ''}`
    const next = created.signed
      ? [`edit ${created.path}`, sign, `rye execute ${ref}`]
      : [
          ...(findSigningKey(context.library.userSpace) ? [] : ['rye keys generate']),
          sign,
          `rye execute ${ref}`,
        ]
    return { status: 'created', ...created, next }
  },
})
