// `rye merge`: what git calls for a file below `.ai/` that two branches changed (`rye init --merge-driver`).
import { defineAction } from '../../definition/action.ts'
import { MERGE_FIELDS } from './fields.ts'

export const merge = defineAction({
  name: 'merge',
  description: 'Merge two edits of one item, and sign the result where both sides are verified.',
  effects: { readOnly: false, destructive: false, openWorld: false },
  forPeople: true,
  fields: MERGE_FIELDS,
  run: async (context, input) => (await import('./merge-item.ts')).mergeItem(context, input),
  exitStatus: answer => (answer.status === 'merged' ? 0 : 1),
})
