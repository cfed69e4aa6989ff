// Reads one item after its signature is checked; with a destination, copies it into another space.
import { defineAction } from '../../definition/action.ts'
import { type AnyLoadAnswer, LOAD_FIELDS } from './fields.ts'

export const load = defineAction({
  name: 'load',
  description: 'Read the source of an item, a file of a skill, or more of a long output.',
  effects: { readOnly: false, destructive: true, openWorld: false },
  fields: LOAD_FIELDS,
  run: async (context, input): Promise<AnyLoadAnswer> => {
    const { loadItem, loadOutput } = await import('./load-item.ts')
    return input.item_id.startsWith('output:') ? loadOutput(context, input) : loadItem(context, input)
  },
})
