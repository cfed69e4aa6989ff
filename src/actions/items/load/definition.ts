// Read one item after its signature is checked; with a destination, copy it into another space.
import { defineAction, type Fields } from '../../definition/action.ts'
import { itemId, itemType, projectPath } from '../../definition/fields.ts'

export const LOAD_FIELDS = {
  item_type: itemType,
  project_path: projectPath,
  source: {
    type: 'string',
    about: 'look only here; without it project, then user, then system',
    values: ['project', 'user', 'system', 'registry'],
    flag: { value: 'S' },
  },
  destination: {
    type: 'string',
    about: 'space to copy it to',
    values: ['project', 'user'],
    flag: { name: 'to' },
  },
  overwrite: { type: 'boolean', about: 'let the copy replace an item that is there already' },
  version: { type: 'string', about: 'refuse any other version', flag: { value: 'V' } },
} as const satisfies Fields

export const load = defineAction({
  name: 'load',
  description:
    'Read the source of one item after its signature is checked: its steps, parameters and code. With `destination`, also copy it there to change it.',
  effects: { readOnly: false, destructive: true, openWorld: false },
  fields: { item_id: itemId, ...LOAD_FIELDS },
  run: async (context, input) => (await import('./load-item.ts')).loadItem(context, input),
})
