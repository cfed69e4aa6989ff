// `rye edit`: opens an item in the person's own editor, then checks and signs it.
import { defineAction } from '../../definition/action.ts'
import { EDIT_FIELDS } from './fields.ts'

export const edit = defineAction({
  name: 'edit',
  description: 'Edit an item in $EDITOR; validate, show what changed, and sign it.',
  effects: { readOnly: false, destructive: false, openWorld: false },
  forPeople: true,
  fields: EDIT_FIELDS,
  run: async (context, input) => (await import('./edit-item.ts')).editItem(context, input),
})
