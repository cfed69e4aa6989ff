// Read one item after its signature is checked; with a destination, copy it into another space.
import { defineAction, type Fields } from './action.ts'
import { itemId, itemType, projectPath } from './fields.ts'

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
    about: 'copy it there, to change it',
    values: ['project', 'user'],
    flag: { name: 'to' },
  },
  overwrite: { type: 'boolean', about: 'replace an item that is there already' },
  version: { type: 'string', about: 'expected version', flag: { value: 'V' } },
} as const satisfies Fields

export const load = defineAction({
  name: 'load',
  description:
    'Read the source of one item, after its signature is checked; or copy it to your project or user space to change it.',
  effects: { readOnly: false, destructive: false, openWorld: false },
  fields: { item_id: itemId, ...LOAD_FIELDS },
  run: async (context, input) => (await import('./load-item.ts')).loadItem(context, input),
})
