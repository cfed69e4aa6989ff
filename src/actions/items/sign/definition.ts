// Validate an item, or all that a pattern matches, and write its signature.
import { defineAction } from '../../definition/action.ts'
import { projectPath } from '../../definition/fields.ts'

export const sign = defineAction({
  name: 'sign',
  description:
    'Validate and sign an item that you created or edited, so that it can be loaded and run: unsigned and changed items are refused.',
  effects: { readOnly: false, destructive: false, openWorld: false },
  fields: {
    item_id: {
      type: 'string',
      about: 'id, or a glob for several: `deploy/*`',
      required: true,
      flag: { position: 'first', value: 'ITEM|GLOB' },
    },
    item_type: {
      type: 'string',
      about: '',
      values: ['directive', 'tool', 'knowledge', 'skill', 'config'],
      flag: { name: 'type', value: 'T' },
    },
    project_path: projectPath,
    source: {
      type: 'string',
      about: 'space that holds it',
      values: ['project', 'user'],
      default: 'project',
    },
    location: {
      type: 'string',
      about: 'same as source',
      values: ['project', 'user'],
      flag: { hidden: true },
    },
    category: {
      type: 'string',
      about: 'directory of the item, when its id is a bare name',
      flag: { value: 'C' },
    },
    format: {
      type: 'string',
      about: 'v1 for the Python system',
      values: ['v2', 'v1'],
      default: 'v2',
      surface: 'cli',
    },
  },
  run: async (context, input) => (await import('./sign-items.ts')).signItems(context, input),
  // Of a batch; the shape that `signItems` answers with.
  exitStatus: answer => ('failed' in answer && (answer.failed as object[]).length > 0 ? 1 : 0),
})
